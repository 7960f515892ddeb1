import { Box, Button, Loader } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EntryFilter } from '../../../../src-preload/contract/credits.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { type CsvState, useCsvExport } from './useCsvExport.ts';

interface CsvExportProps {
  /** What of the ledger is wanted; undefined while the choice makes no sense. */
  filter: EntryFilter | undefined;
  narrowed: boolean;
}

/** Exports what the filter lets through as CSV, with progress and a way to stop; how it went stands below the buttons. */
export function CsvExport({ filter, narrowed }: CsvExportProps) {
  const { t } = useTranslation(['earnings', 'common']);
  const { csv, start, cancel } = useCsvExport();
  const running = csv.state === 'running';
  return (
    <>
      {running ? (
        <Button variant="default" leftSection={<Loader size={14} aria-hidden />} onClick={cancel}>
          {t('common:action.cancel')}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
          disabled={!filter}
          onClick={() => filter && void start(filter)}
        >
          {t(narrowed ? 'earnings:csv.exportShown' : 'earnings:csv.export')}
        </Button>
      )}
      {csv.state !== 'idle' && (
        <Box w="100%" style={{ order: 2 }}>
          {csv.state === 'failed' ? (
            <ErrorNote error={csv.error} onRetry={filter ? () => void start(filter) : undefined} />
          ) : (
            <Note role={running ? undefined : 'status'}>
              <Progress csv={csv} />
            </Note>
          )}
        </Box>
      )}
    </>
  );
}

function Progress({ csv }: { csv: CsvState }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  if (csv.state === 'cancelled') return t('csv.cancelled');
  if (csv.state !== 'running' && csv.state !== 'done') return null;
  const { rows, bytes } = csv.progress;
  const size = t('csv.rows', { count: rows, formatted: format.number(rows), bytes: format.bytes(bytes) });
  return csv.state === 'done' ? t('csv.done', { size, file: csv.fileName }) : size;
}

import { Box, Button, Select, Text } from '@mantine/core';
import { IconFileImport, IconPencil, IconWorldDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { ImportDialog } from './ImportDialog.tsx';
import { InUse } from './InUse.tsx';
import { OffersDialog } from './OffersDialog.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { useVersions } from './use-versions.ts';
import { VersionInspector } from './VersionInspector.tsx';
import { VersionTable } from './VersionTable.tsx';

/** What was learnt, version by version: which one is in use, and the way back. */
export function Versions() {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const [adapter, setAdapter] = useState<string>();
  const [selected, setSelected] = useState<string>();
  const [dialog, setDialog] = useState<'import' | 'offers' | 'rename'>();
  const { data: adapters = [] } = useAnswer(api.learning.adapters.queryOptions());
  const shown = useVersions(adapter);
  const { name, data, steps, error, pages } = shown;
  const isThere = adapters.some((one) => one.name === name);
  const close = () => setDialog(undefined);
  return (
    <>
      <ListAndDetails
        title={t('version')}
        rows={data ?? []}
        keyOf={({ id }) => id}
        selected={selected}
        onSelect={setSelected}
        details={(version) => <VersionInspector key={version.id} version={version} others={data ?? []} />}
      >
        {(current, select) => (
          <>
            <div className={tableClasses.tools}>
              {adapters.length > 1 && (
                <Select
                  aria-label={t('versions.adapter')}
                  data={adapters.map((one) => one.name)}
                  value={name ?? null}
                  allowDeselect={false}
                  onChange={(chosen) => chosen !== null && setAdapter(chosen)}
                />
              )}
              <span className={`${tableClasses.beside} ${classes.model}`}>
                {adapters.find((one) => one.name === name)?.model}
              </span>
              <div className={classes.acts}>
                {isThere && (
                  <Button
                    variant="default"
                    leftSection={<IconPencil size={15} stroke={1.6} aria-hidden />}
                    onClick={() => setDialog('rename')}
                  >
                    {t('rename.open')}
                  </Button>
                )}
                <Button
                  variant="default"
                  leftSection={<IconWorldDownload size={15} stroke={1.6} aria-hidden />}
                  onClick={() => setDialog('offers')}
                >
                  {t('offers.open')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconFileImport size={15} stroke={1.6} aria-hidden />}
                  onClick={() => setDialog('import')}
                >
                  {t('import.open')}
                </Button>
              </div>
            </div>
            {error !== null && (
              <Box className={tableClasses.pad}>
                <ErrorNote error={error} />
              </Box>
            )}
            {!data && error === null && <TableSkeleton rows={4} />}
            {data && steps && data.length > 0 && (
              <>
                <Box className={classes.inUsePlace}>
                  <InUse adapter={name} steps={steps} />
                </Box>
                <VersionTable versions={data} latest={steps.current?.id ?? null} selected={current} onSelect={select} />
              </>
            )}
            <Box className={tableClasses.pad}>
              {data?.length === 0 && (
                <EmptyState title={t('versions.empty')}>
                  <Text size="sm">{t('versions.emptyHow')}</Text>
                </EmptyState>
              )}
              {pages.hasNextPage && (
                <ShownSoFar pages={pages}>
                  {t('versions.shown', { formatted: format.number(data?.length ?? 0) })}
                </ShownSoFar>
              )}
            </Box>
          </>
        )}
      </ListAndDetails>
      {dialog === 'offers' && <OffersDialog onClose={close} />}
      {dialog === 'import' && <ImportDialog adapter={name} onClose={close} />}
      {dialog === 'rename' && name !== undefined && (
        <RenameDialog
          adapter={name}
          onRenamed={(to) => {
            setAdapter(to);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

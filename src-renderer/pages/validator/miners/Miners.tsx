import { Box, Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointView } from '../../../../src-preload/contract/validator-run.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { usePages } from '../../../components/page/use-pages.ts';
import { useFormat } from '../../../i18n/format.ts';
import { onWantedAction } from '../../../state/wanted.ts';
import { RunBar } from '../run/RunBar.tsx';
import type { LiveRun } from '../run/use-run.ts';
import { AskingSettings } from './AskingSettings.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import { HotkeyDialog } from './HotkeyDialog.tsx';
import { MinerInspector } from './MinerInspector.tsx';
import { MinerTable } from './MinerTable.tsx';
import { type ListedMiner, listMiners } from './miner-list.ts';
import { RemoveMiner } from './RemoveMiner.tsx';

const ROWS = 50;

type Open =
  | { what: 'add' }
  | { what: 'hotkey'; miner: ListedMiner }
  | { what: 'change' | 'remove'; endpoint: EndpointView };

/** Whom the validator asks, how that goes, and where more of them come from. */
export function Miners({ run }: { run: LiveRun }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { data: endpoints, error, refetch } = useAnswer(api.validator.miners.queryOptions());
  const { data: hotkeys } = useAnswer(api.validator.hotkeys.queryOptions());
  const [selected, setSelected] = useState<string>();
  const [dialog, setDialog] = useState<Open>();
  useEffect(() => onWantedAction('addMiner', () => setDialog({ what: 'add' })), []);
  const miners = listMiners(endpoints ?? [], run.state?.miners ?? [], hotkeys ?? []);
  const { rows, ...pager } = usePages(miners, ROWS);
  const close = () => setDialog(undefined);
  const hidden = (run.state?.minerCount ?? 0) - (run.state?.miners.length ?? 0);
  const add = (
    <Button
      variant={miners.length > 0 ? 'default' : 'filled'}
      leftSection={<IconPlus size={15} stroke={1.6} aria-hidden />}
      onClick={() => setDialog({ what: 'add' })}
    >
      {t('miners.add')}
    </Button>
  );
  return (
    <>
      <ListAndDetails
        title={t('miner')}
        rows={rows}
        keyOf={({ id }) => id}
        selected={selected}
        onSelect={setSelected}
        details={(miner) => (
          <MinerInspector
            key={miner.id}
            miner={miner}
            onChange={(endpoint) => setDialog({ what: 'change', endpoint })}
            onRemove={(endpoint) => setDialog({ what: 'remove', endpoint })}
            onHotkey={() => setDialog({ what: 'hotkey', miner })}
          />
        )}
      >
        {(shown, select) => (
          <>
            <RunBar run={run} primary={miners.length > 0} />
            {miners.length > 0 && <div className={classes.tools}>{add}</div>}
            {error !== null && (
              <Box className={classes.pad}>
                <ErrorNote error={error} onRetry={() => void refetch()} />
              </Box>
            )}
            {!endpoints && error === null && <TableSkeleton rows={3} />}
            {rows.length > 0 && <MinerTable miners={rows} selected={shown} onSelect={select} />}
            <Box className={classes.pad}>
              <Pager {...pager} label={t('miners.pages')} />
              {hidden > 0 && (
                <Text size="sm" c="dimmed" ta="center" mt="xs">
                  {t('miners.hidden', { count: hidden, formatted: format.number(hidden) })}
                </Text>
              )}
              {endpoints && run.state && miners.length === 0 && (
                <EmptyState title={t('miners.empty')}>
                  <Text size="sm" maw={560}>
                    {t('miners.emptyHint')}
                  </Text>
                  <Box mt={12}>{add}</Box>
                </EmptyState>
              )}
              <AskingSettings />
            </Box>
          </>
        )}
      </ListAndDetails>
      {(dialog?.what === 'add' || dialog?.what === 'change') && (
        <EndpointDialog
          endpoint={dialog.what === 'change' ? dialog.endpoint : undefined}
          names={endpoints?.map(({ name }) => name) ?? []}
          onSaved={(name) => setSelected(`endpoint/${name}`)}
          onClose={close}
        />
      )}
      {dialog?.what === 'hotkey' && <HotkeyDialog miner={dialog.miner} onClose={close} />}
      {dialog?.what === 'remove' && <RemoveMiner name={dialog.endpoint.name} onClose={close} />}
    </>
  );
}

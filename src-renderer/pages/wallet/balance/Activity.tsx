import { Button, Modal } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SentCall } from '../../../../src-preload/contract/chain.ts';
import { movedRao } from '../../../../src-preload/contract/moved-rao.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { CALL_STATE, useCallWords } from '../../../components/chain/call-words.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { PickRow } from '../../../components/page/PickRow.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { Section } from '../../../components/Section.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import own from '../wallet.module.css';
import { CallDetails } from './CallDetails.tsx';
import { CALL_ICON } from './call-icon.ts';
import { useCallsCsv } from './use-calls-csv.ts';

const PAGE = 20;
const MOST = 200;
/** While something is on its way. */
const LOOK_EVERY_MS = 6_000;

/** What was sent from this computer, the newest first. */
export function Activity() {
  const { t } = useTranslation(['wallet', 'common']);
  const [limit, setLimit] = useState(PAGE);
  const [open, setOpen] = useState<number>();
  const csv = useCallsCsv();
  const { data, error, refetch } = useAnswer(
    api.chain.calls.queryOptions({
      input: { limit },
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.calls.some(isWaiting) ? LOOK_EVERY_MS : false),
    }),
  );
  const shown = data?.calls.find(({ id }) => id === open);
  return (
    <Section
      title={t('wallet:activity.title')}
      description={t('wallet:activity.what')}
      aside={
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconDownload size={14} stroke={1.6} aria-hidden />}
          disabled={!data?.calls.length}
          loading={csv.pending}
          onClick={() => void csv.save()}
        >
          {t('wallet:activity.export')}
        </Button>
      }
    >
      <ErrorNote error={csv.error ?? (data ? undefined : error)} onRetry={() => void refetch()} />
      {!data && !error && <TableSkeleton rows={3} />}
      {data?.calls.length === 0 && (
        <EmptyState title={t('wallet:activity.none')}>{t('wallet:activity.noneHint')}</EmptyState>
      )}
      {data && data.calls.length > 0 && <Calls calls={data.calls} onOpen={setOpen} />}
      {data?.more && limit < MOST && (
        <Button variant="default" mt={12} onClick={() => setLimit(Math.min(MOST, limit * 2))}>
          {t('common:action.more')}
        </Button>
      )}
      {shown && (
        <Modal opened onClose={() => setOpen(undefined)} title={t('wallet:activity.call')} size={480}>
          <CallDetails call={shown} />
        </Modal>
      )}
    </Section>
  );
}

const isWaiting = ({ state }: SentCall) => state === 'waiting';

function Calls({ calls, onOpen }: { calls: readonly SentCall[]; onOpen: (id: number) => void }) {
  const { t } = useTranslation('wallet');
  return (
    <div className={`${classes.list} ${classes.bleed}`}>
      <table className={classes.table} aria-label={t('activity.title')}>
        <thead>
          <tr>
            <th scope="col">{t('activity.whatHappened')}</th>
            <th scope="col" className={classes.wide}>
              {t('activity.when')}
            </th>
            <th scope="col" className={classes.num}>
              TAO
            </th>
            <th scope="col" className={classes.num}>
              {t('activity.state')}
            </th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <Row key={call.id} call={call} onOpen={() => onOpen(call.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ call, onOpen }: { call: SentCall; onOpen: () => void }) {
  const { t } = useTranslation(['wallet', 'chain']);
  const format = useFormat();
  const words = useCallWords();
  const Icon = CALL_ICON[call.state];
  const moved = movedRao(call);
  const below = (
    <>
      {t('wallet:activity.from', { who: words.who(call.from) })}
      {call.netuid !== null &&
        ` · ${call.netuid === 0 ? t('wallet:stakes.root') : t('wallet:stakes.subnet', { netuid: call.netuid })}`}
      {call.network !== 'finney' && ` · ${t(`chain:network.${call.network}`)}`}
      <span className={classes.slim}> · {format.time(call.at)}</span>
    </>
  );
  return (
    <PickRow name={words.short(call)} below={below} selected={false} onSelect={onOpen} wide>
      <td className={`num ${classes.wide} ${classes.when}`}>{format.time(call.at)}</td>
      <td className={`num ${classes.num}`} style={{ fontWeight: 550 }}>
        {moved === 0n ? '–' : (moved < 0n ? '−' : '+') + format.tao(call.moves)}
      </td>
      <td className={classes.num}>
        <StateChip state={CALL_STATE[call.state]} icon={Icon}>
          <span className={own.word}>{t(`wallet:activity.states.${call.state}`)}</span>
        </StateChip>
      </td>
    </PickRow>
  );
}

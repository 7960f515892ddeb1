import { Alert, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { LedgerCheckReport } from '../../../src-preload/contract/credits.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useFormat } from '../../i18n/format.ts';
import { wordedList } from '../../i18n/worded.ts';

const LOOK_AGAIN_MS = 5_000;

/** How the look stands that the node takes at its ledger by itself; nothing before it has begun. */
export function LedgerCheck() {
  const { data } = useAnswer(api.credits.check.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  if (!data || data.state === 'waiting') return null;
  return data.state === 'damaged' || data.state === 'failed' ? <Found check={data} /> : <Going check={data} />;
}

function Going({ check: { state, since, unclean, read, entries } }: { check: LedgerCheckReport }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const why = unclean && state === 'running' ? `${t('check.unclean')} ` : '';
  const counts = { read: format.number(read), entries: format.number(entries), time: format.time(since) };
  return (
    <Text size="sm" c="dimmed">
      {why}
      {state === 'sound' ? t('check.sound', counts) : entries === 0 ? t('check.file') : t('check.running', counts)}
    </Text>
  );
}

function Found({ check: { state, problems, said } }: { check: LedgerCheckReport }) {
  const { t } = useTranslation('earnings');
  const damaged = state === 'damaged';
  return (
    <Alert
      color={damaged ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={damaged ? t('check.damaged') : t('check.failed')}
    >
      <Stack gap="sm">
        <List size="sm">
          {wordedList(problems, said).map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
        <Text size="sm">{damaged ? t('check.repair') : t('check.prove')}</Text>
      </Stack>
    </Alert>
  );
}

import { Box, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { LedgerCheckReport } from '../../../../src-preload/contract/credits.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { wordedList } from '../../../i18n/worded.ts';

const LOOK_AGAIN_MS = 5_000;

/** Beside the buttons: how the look stands that the node takes at its ledger by itself; nothing before it has begun. */
export function LedgerCheck() {
  const { data } = useAnswer(api.credits.check.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  if (!data || data.state === 'waiting') return null;
  if (data.state !== 'damaged' && data.state !== 'failed') return <Going check={data} />;
  return (
    <Box w="100%" style={{ order: 3 }}>
      <Found check={data} />
    </Box>
  );
}

function Going({ check: { state, since, unclean, read, entries } }: { check: LedgerCheckReport }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const why = unclean && state === 'running' ? `${t('check.unclean')} ` : '';
  const counts = { read: format.number(read), entries: format.number(entries), time: format.time(since) };
  return (
    <Text size="xs" c="dimmed" flex="1 1 240px">
      {why}
      {state === 'sound' ? t('check.sound', counts) : entries === 0 ? t('check.file') : t('check.running', counts)}
    </Text>
  );
}

function Found({ check: { state, problems, said } }: { check: LedgerCheckReport }) {
  const { t } = useTranslation('earnings');
  const damaged = state === 'damaged';
  return (
    <Note
      state={damaged ? 'error' : 'pause'}
      icon={IconAlertTriangle}
      title={damaged ? t('check.damaged') : t('check.failed')}
      role="alert"
    >
      <List size="sm" my={4}>
        {wordedList(problems, said).map((problem) => (
          <List.Item key={problem}>{problem}</List.Item>
        ))}
      </List>
      {damaged ? t('check.repair') : t('check.prove')}
    </Note>
  );
}

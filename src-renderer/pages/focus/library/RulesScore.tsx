import { Group, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHelp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { inkOf, type State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';

const LOOKS = {
  passed: { icon: IconCheck, state: 'good' },
  failed: { icon: IconAlertTriangle, state: 'error' },
  unknown: { icon: IconHelp, state: 'idle' },
} as const satisfies Record<string, { icon: typeof IconCheck; state: State }>;

/** What the rules on this computer say: in how much of it somebody was at work, and what each of them found. */
export function RulesScore({ id }: { id: string }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const { data, error } = useAnswer(
    api.focus.score.queryOptions({ input: { id }, staleTime: Number.POSITIVE_INFINITY }),
  );
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Text size="sm">{t('rules.looking')}</Text>;
  const { score, findings } = data;
  const isBroken = findings.some(({ outcome }) => outcome === 'failed');
  return (
    <>
      <Group justify="space-between" mb={6}>
        <Text size="sm">{t(isBroken ? 'rules.broken' : 'rules.work')}</Text>
        <Text fw={600}>{format.short(score, 2)}</Text>
      </Group>
      <Meter parts={[{ share: score }]} />
      <List size="sm" mt="sm" spacing={4} listStyleType="none" pl={0}>
        {findings.map((finding) => {
          const { icon: Icon, state } = LOOKS[finding.outcome];
          return (
            <List.Item
              key={finding.rule}
              icon={<Icon size={15} stroke={1.8} color={inkOf(state)} aria-label={t(`rules.${finding.outcome}`)} />}
            >
              {worded(finding, 'text')}
            </List.Item>
          );
        })}
      </List>
      <Text size="xs" c="var(--q-ink-2)" mt="sm">
        {t('rules.what')}
      </Text>
    </>
  );
}

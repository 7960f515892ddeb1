import { Box, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHelp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isRefused } from '../../../../src-preload/contract/is-refused.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ScoreBar } from '../../../components/ScoreBar.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { inkOf, type State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { useRules } from './use-rules.ts';

const LOOKS = {
  passed: { icon: IconCheck, state: 'good' },
  failed: { icon: IconAlertTriangle, state: 'error' },
  unknown: { icon: IconHelp, state: 'idle' },
} as const satisfies Record<string, { icon: typeof IconCheck; state: State }>;

/** What the rules on this computer say: whether they accept it, in how much of it somebody was at work, and what each of them found. */
export function RulesScore({ id }: { id: string }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const { data, error } = useRules(id);
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Text size="sm">{t('rules.looking')}</Text>;
  const { score, findings } = data;
  const { icon, state: look } = LOOKS[isRefused(data) ? 'failed' : 'passed'];
  return (
    <>
      <StateChip state={look} icon={icon}>
        {t(isRefused(data) ? 'rules.refused' : 'rules.accepted')}
      </StateChip>
      {!isRefused(data) && (
        <Box mt="sm">
          <ScoreBar name={t('rules.work')} value={score} shown={format.percent(score)} />
        </Box>
      )}
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

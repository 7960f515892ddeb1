import { Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { type PeerHealth, peerHealth } from './peer-health.ts';

const COLOURS: Record<PeerHealth, string> = {
  idle: 'green',
  light: 'green',
  moderate: 'yellow',
  busy: 'orange',
  overloaded: 'red',
};

/** A peer's health: a number, a word and a bar. Clients tell none. */
export function PeerHealthCell({ score }: { score: number | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (score === undefined) {
    return (
      <Text component="span" size="sm" c="dimmed">
        –
      </Text>
    );
  }
  const state = peerHealth(score);
  return (
    <>
      <Group gap={6} wrap="nowrap">
        <Text component="span" size="sm" fw={600}>
          {format.number(score)}
        </Text>
        <Text component="span" size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {t(`healthState.${state}`)}
        </Text>
      </Group>
      <Progress.Root size={4} maw={120} mt={2} aria-hidden>
        <Progress.Section value={score} color={COLOURS[state]} withAria={false} />
      </Progress.Root>
    </>
  );
}

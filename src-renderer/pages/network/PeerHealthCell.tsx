import { Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PeerView } from '../../../src-preload/contract/mesh.ts';
import { useFormat } from '../../i18n/format.ts';

const COLOURS: Record<NonNullable<PeerView['healthState']>, string> = {
  idle: 'green',
  light: 'green',
  moderate: 'yellow',
  busy: 'orange',
  overloaded: 'red',
};

/** A peer's health: a number, a word and a bar. Clients tell none. */
export function PeerHealthCell({ peer: { health, healthState } }: { peer: PeerView }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (health === undefined || healthState === undefined) {
    return (
      <Text component="span" size="sm" c="dimmed">
        –
      </Text>
    );
  }
  return (
    <>
      <Group gap={6} wrap="nowrap">
        <Text component="span" size="sm" fw={600}>
          {format.number(health)}
        </Text>
        <Text component="span" size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {t(`healthState.${healthState}`)}
        </Text>
      </Group>
      <Progress.Root size={4} maw={120} mt={2} aria-hidden>
        <Progress.Section value={health} color={COLOURS[healthState]} withAria={false} />
      </Progress.Root>
    </>
  );
}

import { Group, Progress, RingProgress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';

type Health = NonNullable<NodeStatus['health']>;

const COLOURS: Record<Health['state'], string> = {
  idle: 'green',
  light: 'green',
  moderate: 'yellow',
  busy: 'orange',
  overloaded: 'red',
};
const PARTS = ['cpu', 'memory', 'load', 'queue'] as const;

/** How well this computer can take work now, and what that is made of. */
export function HealthCard() {
  const { t } = useTranslation(['dashboard', 'common']);
  const status = useNode((node) => node.status);
  return (
    <Section title={t('health.title')}>
      {!status && <Skeleton height={150} aria-hidden />}
      {status?.health && (
        <Group gap="xl" align="center">
          <Gauge health={status.health} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="md" flex="1 1 280px">
            {PARTS.map((part) => (
              <Part key={part} part={part} value={status.health?.parts[part] ?? 0} />
            ))}
          </SimpleGrid>
        </Group>
      )}
    </Section>
  );
}

function Gauge({ health: { score, state, capacity } }: { health: Health }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  const named = t(`common:healthState.${state}`);
  return (
    <Group gap="md" flex="1 1 300px" maw={420} wrap="nowrap">
      <RingProgress
        size={132}
        thickness={12}
        roundCaps
        role="img"
        aria-label={t('health.gauge', { score: format.number(score), state: named })}
        sections={[{ value: score, color: COLOURS[state] }]}
        label={
          <Text ta="center" fz={30} fw={650} aria-hidden>
            {format.number(score)}
          </Text>
        }
      />
      <Stack gap={4}>
        <Text fw={650} size="lg">
          {named}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`health.means.${state}`, { capacity: format.percent(capacity / 100) })}
        </Text>
      </Stack>
    </Group>
  );
}

function Part({ part, value }: { part: (typeof PARTS)[number]; value: number }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  const label = t(`health.part.${part}`);
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="sm">{format.percent(value / 100)}</Text>
      </Group>
      <Progress value={value} aria-label={label} />
      <Text size="xs" c="dimmed">
        {t(`health.partNote.${part}`)}
      </Text>
    </Stack>
  );
}

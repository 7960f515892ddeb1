import { Group, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import {
  type Icon,
  IconClockPause,
  IconHourglass,
  IconPick,
  IconPlayerStop,
  IconPlugConnectedX,
  IconUser,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { MiningButton, miningState, useLostConnection } from '../../components/MiningControl.tsx';
import { useNode } from '../../state/node.ts';
import { Limits } from './Limits.tsx';
import { Section } from './Section.tsx';

const LOOKS: Record<Shown, { icon: Icon; colour: string }> = {
  none: { icon: IconUser, colour: 'gray' },
  lost: { icon: IconPlugConnectedX, colour: 'gray' },
  stopped: { icon: IconPlayerStop, colour: 'gray' },
  starting: { icon: IconHourglass, colour: 'blue' },
  stopping: { icon: IconHourglass, colour: 'blue' },
  running: { icon: IconPick, colour: 'green' },
  throttled: { icon: IconPick, colour: 'yellow' },
  paused: { icon: IconClockPause, colour: 'yellow' },
};

/** `none` on a node that serves nobody; `lost` while nobody can say. */
type Shown = ReturnType<typeof miningState> | 'none' | 'lost';

/** How mining stands, what that means, and what limits it. */
export function MiningCard() {
  const { t } = useTranslation(['dashboard', 'common']);
  const status = useNode((node) => node.status);
  const lost = useLostConnection();
  return (
    <Section title={t('mining.title')}>
      {status ? (
        <>
          <Group justify="space-between" gap="md">
            <State status={status} lost={lost} />
            <MiningButton />
          </Group>
          {!lost && <Limits status={status} />}
        </>
      ) : (
        <Skeleton height={150} aria-hidden />
      )}
    </Section>
  );
}

function State({ status, lost }: { status: NodeStatus; lost: boolean }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const shown: Shown = lost ? 'lost' : status.mining ? miningState(status) : 'none';
  const { icon: StateIcon, colour } = LOOKS[shown];
  const model = status.mining?.model ?? t('mining.itsModel');
  const facts = lost
    ? undefined
    : [
        status.mining?.state === 'running' && t('mining.answering', { count: status.queue.active }),
        t('common:peers', { count: status.peers }),
      ];
  return (
    <Group wrap="nowrap" align="flex-start" flex="1 1 300px">
      <ThemeIcon size={56} radius="xl" variant="light" color={colour} aria-hidden>
        <StateIcon size={30} stroke={1.6} />
      </ThemeIcon>
      <Stack gap={2} miw={0}>
        <Text fz={26} fw={650} lh={1.2}>
          {t(`mining.state.${shown}`)}
        </Text>
        <Text style={{ overflowWrap: 'anywhere' }}>{t(`mining.means.${shown}`, { model })}</Text>
        <Text size="sm" c="dimmed">
          {facts?.filter(Boolean).join(' · ')}
        </Text>
      </Stack>
    </Group>
  );
}

import { Box, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay, IconPlayerStopFilled, IconUnlink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { FleetNode, NodeSummary } from '../../../../src-preload/contract/fleet.ts';
import { fingerprint } from '../../../../src-preload/contract/pairing-code.ts';
import { api } from '../../../api/client.ts';
import { tellError } from '../../../components/errors/tell-error.ts';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { SwitchRow } from '../../../components/setting-field/SwitchRow.tsx';
import { Tier } from '../../../components/Tier.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { modelTitle } from '../../../i18n/model-title.ts';
import { NodeState } from './NodeState.tsx';
import { useSeen } from './use-seen.ts';

/** Everything that one node says of itself, what it may do here, and the ways to start, stop and part it. */
export function NodeInspector({ node, onRemove }: { node: FleetNode; onRemove: () => void }) {
  const { t } = useTranslation('network');
  const seen = useSeen();
  const { self, online, name, summary } = node;
  return (
    <Inspector
      title={name}
      description={
        <Box component="span" display="inline-block" mt={6}>
          <NodeState node={node} />
        </Box>
      }
    >
      {!self && online && summary && <Why summary={summary} />}
      {!online && node.seenAt !== undefined && (
        <Text size="sm" c="var(--q-ink-3)" mt={8}>
          {t('mine.inspector.asOf', { when: seen(node) })}
        </Text>
      )}
      {!self && online && summary && summary.standing !== 'client' && <Mining node={node} summary={summary} />}
      {summary && (
        <>
          <Block title={t('mine.inspector.earned')}>
            <Earned summary={summary} />
          </Block>
          <Block>
            <About summary={summary} />
          </Block>
        </>
      )}
      <Block>
        <Identity node={node} />
        {!self && <Rights node={node} onRemove={onRemove} />}
      </Block>
    </Inspector>
  );
}

/** What holds it back; in its own words where they are no more than words. */
function Why({ summary: { standing, rule, detail } }: { summary: NodeSummary }) {
  const { t } = useTranslation('network');
  const isNews = standing === 'other' || rule === 'other';
  const why =
    rule && rule !== 'other' ? t(`common:status.rule.${rule}`) : (detail ?? (isNews && t('mine.inspector.news')));
  return (
    why && (
      <Text size="sm" mt={8} style={{ overflowWrap: 'anywhere' }}>
        {why}
      </Text>
    )
  );
}

function Mining({ node: { id, name, controllable }, summary }: { node: FleetNode; summary: NodeSummary }) {
  const { t } = useTranslation('network');
  const told = {
    onSuccess: () => notifications.show({ message: t('mine.inspector.told', { name }) }),
    onError: (error: unknown) => tellError(error),
  };
  const start = useMutation(api.fleet.startMining.mutationOptions(told));
  const stop = useMutation(api.fleet.stopMining.mutationOptions(told));
  if (!controllable) {
    return (
      <Block>
        <Text size="xs" c="var(--q-ink-3)">
          {t('mine.inspector.notAllowed', { name })}
        </Text>
      </Block>
    );
  }
  const isStopped = summary.standing === 'stopped' || summary.standing === 'failed';
  const Icon = isStopped ? IconPlayerPlay : IconPlayerStopFilled;
  const act = isStopped ? start : stop;
  return (
    <Block>
      <Button
        fullWidth
        variant="default"
        leftSection={<Icon size={15} stroke={1.6} aria-hidden />}
        loading={start.isPending || stop.isPending}
        onClick={() => act.mutate({ id })}
      >
        {t(isStopped ? 'mine.inspector.start' : 'mine.inspector.stop')}
      </Button>
    </Block>
  );
}

function Earned({ summary: { earned, tier, credits, tokensPerSecond } }: { summary: NodeSummary }) {
  const { t } = useTranslation('network');
  const format = useFormat();
  return (
    <Facts
      facts={[
        [t('mine.todayShort'), format.number(earned.today)],
        [t('mine.weekShort'), format.number(earned.week)],
        [t('mine.tier'), <Tier key="tier" tier={tier} size={15} />],
        [t('mine.inspector.credits'), format.number(credits)],
        [
          t('mine.tokens'),
          tokensPerSecond !== undefined && format.number(tokensPerSecond, tokensPerSecond < 10 ? 1 : 0),
        ],
      ]}
    />
  );
}

function About({ summary: { model, use, gpu, version } }: { summary: NodeSummary }) {
  const { t } = useTranslation('network');
  const format = useFormat();
  const percent = (value: number | undefined) => value !== undefined && format.percent(value / 100);
  return (
    <Facts
      facts={[
        [t('mine.model'), model && <span title={model}>{modelTitle(model).title}</span>],
        [t('mine.inspector.health'), percent(use?.cpu)],
        [t('mine.inspector.memory'), percent(use?.memory)],
        [t('mine.inspector.gpu'), gpu?.name ?? percent(use?.gpu)],
        [t('mine.inspector.usage'), gpu && percent(use?.gpu)],
        [t('mine.inspector.vram'), percent(use?.vram)],
        [t('mine.inspector.temperature'), gpu?.temperature !== undefined && `${format.number(gpu.temperature)} °C`],
        [t('mine.inspector.version'), version],
      ]}
    />
  );
}

function Identity({ node: { id, since } }: { node: FleetNode }) {
  const { t } = useTranslation('network');
  const format = useFormat();
  return (
    <Facts
      facts={[
        [
          t('mine.inspector.fingerprint'),
          <Text key="id" span size="xs" ff="monospace" title={id}>
            {fingerprint(id)}
          </Text>,
        ],
        [t('mine.inspector.since'), since !== undefined && format.day(since)],
      ]}
    />
  );
}

function Rights({ node: { id, mayControlThis }, onRemove }: { node: FleetNode; onRemove: () => void }) {
  const { t } = useTranslation('network');
  const allow = useMutation(api.fleet.allow.mutationOptions({ onError: (error) => tellError(error) }));
  const asked = allow.isPending ? allow.variables.mayControl : mayControlThis;
  return (
    <>
      <SwitchRow
        mt={16}
        label={t('mine.inspector.allow')}
        description={t('mine.inspector.allowHint')}
        checked={asked}
        onChange={(event) => allow.mutate({ id, mayControl: event.currentTarget.checked })}
      />
      <Button
        mt={16}
        fullWidth
        variant="default"
        c="var(--q-error)"
        leftSection={<IconUnlink size={15} stroke={1.6} aria-hidden />}
        onClick={onRemove}
      >
        {t('mine.inspector.remove')}
      </Button>
    </>
  );
}

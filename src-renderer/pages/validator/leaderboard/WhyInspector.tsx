import { Box, Button, Collapse, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconListDetails } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { taskName } from '../../../../src-preload/contract/task-name.ts';
import type { WeighedView } from '../../../../src-preload/contract/validator.ts';
import { Legend } from '../../../components/chart/Legend.tsx';
import { CopyIcon } from '../../../components/copy/CopyIcon.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { showChallengesOf } from '../challenges/challenge-choice.ts';
import { minerName } from '../miner-name.ts';
import { Against } from './Against.tsx';
import type { Placed } from './LeaderboardTable.tsx';
import { type LayerPart, layerParts, measured, type TimeToGo, whyOf } from './standing.ts';
import { useLacks, useWeightText } from './use-lacks.ts';

interface WhyInspectorProps {
  miner: Placed;
  rival: WeighedView | undefined;
  tasks: readonly string[];
  /** Whether anybody has enough results. */
  somebodyCounts: boolean;
  timeToGo: TimeToGo;
}

const COLOURS: Record<LayerPart['layer'], string> = { all: 'var(--q-c1)', next: 'var(--q-c3)', smaller: 'var(--q-c4)' };

/** Why a miner has its weight: how it does beside the first (or that one beside the second), and which sets of tasks it won. */
export function WhyInspector({ miner, rival, tasks, somebodyCounts, timeToGo }: WhyInspectorProps) {
  const { t } = useTranslation('validator');
  const { name } = minerName(miner.miner);
  const { key, better, worse } = whyOf(miner, somebodyCounts);
  const rivalName = rival ? minerName(rival.miner).name : '';
  const first = miner.copyOf === null ? '' : minerName(miner.copyOf).name;
  const weight = useWeightText()(miner.weight);
  return (
    <Inspector
      title={t(titleOf(miner), { name, weight })}
      description={
        <Text span inherit size="sm">
          {t(`why.${key}`, { rival: rivalName, better, worse, first, all: tasks.length })}
        </Text>
      }
    >
      {rival && (
        <>
          <Box mt={12}>
            <Legend
              items={[
                { label: name, colour: 'var(--q-c1)' },
                { label: rivalName, colour: 'var(--q-c3)' },
              ]}
            />
          </Box>
          <Against miner={miner} rival={rival} tasks={tasks} />
        </>
      )}
      <Origin miner={miner} />
      {miner.hotkey !== null && (
        <Block title={t('miners.hotkey')}>
          <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {miner.hotkey} <CopyIcon text={miner.hotkey} label={t('miners.copyHotkey')} />
          </Text>
        </Block>
      )}
      <Block title={t('why.inWords')}>
        <Reasons key={miner.miner} miner={miner} />
      </Block>
      <Block title={t('why.results')}>
        <Results miner={miner} tasks={tasks} timeToGo={timeToGo} />
        <Button
          mt={14}
          fullWidth
          component="a"
          href="#/validator/challenges"
          variant="default"
          leftSection={<IconListDetails size={15} stroke={1.6} aria-hidden />}
          onClick={() => showChallengesOf(miner.miner)}
        >
          {t('why.challenges')}
        </Button>
      </Block>
    </Inspector>
  );
}

function titleOf({ rank, weight, isEligible, copyOf }: Placed) {
  if (copyOf !== null) return 'why.title.nothing';
  if (!isEligible) return weight > 0 ? 'why.title.meanwhile' : 'why.title.lacks';
  if (weight === 0) return 'why.title.nothing';
  return rank === 1 ? 'why.title.leads' : 'why.title.has';
}

/** Where its weight comes from, by the size of the sets that it won. */
function Origin({ miner }: { miner: WeighedView }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const share = useWeightText();
  const parts = layerParts(miner);
  if (miner.weight === 0 || parts.length === 0) return null;
  return (
    <Block title={t('why.origin', { weight: share(miner.weight) })}>
      <Meter
        height={10}
        parts={parts.map((part) => ({ share: part.share / miner.weight, colour: COLOURS[part.layer] }))}
      />
      <Box mt={10}>
        <Facts
          facts={parts.map((part) => [
            <span key={part.layer} className={tableClasses.part}>
              <i style={{ background: COLOURS[part.layer] }} aria-hidden />
              {t(`why.layer.${part.layer}`, { count: part.sets, size: format.number(part.size) })}
            </span>,
            share(part.share),
          ])}
        />
      </Box>
    </Block>
  );
}

/** What was won by the size of the sets, and behind that each of them. */
function Reasons({ miner: { reasons, ofSets, sets } }: { miner: WeighedView }) {
  const { t } = useTranslation('validator');
  const [opened, { toggle }] = useDisclosure();
  const [first, ...others] = reasons;
  const isToldInShort = sets.some((count) => count > 1);
  return (
    <Text component="div" size="sm" c="var(--q-ink-2)">
      {first && worded(first, 'text')}
      <Sentences of={others} />
      {isToldInShort && ofSets.length > 0 && (
        <>
          <Button size="xs" variant="subtle" mt={6} ml={-8} onClick={toggle} aria-expanded={opened}>
            {t('why.allSets', { count: ofSets.length })}
          </Button>
          <Collapse expanded={opened}>
            <Sentences of={ofSets} />
          </Collapse>
        </>
      )}
    </Text>
  );
}

function Sentences({ of }: { of: WeighedView['reasons'] }) {
  if (of.length === 0) return null;
  return (
    <Box component="ul" m={0} mt={6} pl={18}>
      {of.map((sentence, place) => (
        <li key={place}>{worded(sentence, 'text')}</li>
      ))}
    </Box>
  );
}

/** How many results it has in each task, and how many it lacks. */
function Results({ miner, tasks, timeToGo }: { miner: WeighedView; tasks: readonly string[]; timeToGo: TimeToGo }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const lacks = useLacks()(miner, timeToGo);
  return (
    <>
      {lacks && (
        <Text size="sm" mb={8}>
          {lacks}
        </Text>
      )}
      <Facts
        facts={tasks.map((task) => {
          const has = format.number(measured(miner, task)?.count ?? 0);
          const missing = miner.missing[task];
          return [taskName(task), missing ? t('why.hasOf', { has, missing: format.number(missing) }) : has];
        })}
      />
    </>
  );
}

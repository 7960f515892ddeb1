import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ClipScore } from '../../../src-preload/contract/data.ts';
import { LEAST_DETAIL, MOST_CLIPS } from '../../../src-preload/contract/data-limits.ts';
import { ScoreBar } from '../../components/ScoreBar.tsx';
import { StateChip } from '../../components/StateChip.tsx';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { CHECK_LOOKS } from './looks.ts';
import { useWorth } from './use-worth.ts';

const PARTS = ['descriptionRelevance', 'topicRelevance', 'novelty'] as const;
/** One that fits in everything, in full detail; a submission of such comes to 1. */
const MOST_WORTH = 1 / MOST_CLIPS;

/**
 * What a clip is worth, why it counts or not, and what that is made of.
 * @param isOwn a clip of the library: nobody has looked at it closely, or compared it with those of others
 */
export function ScoreParts({ score, isOwn = false }: { score: ClipScore; isOwn?: boolean }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const write = useWorth();
  const { worth, uncounted, uniqueTokens, detail, check } = score;
  const { state, icon } = CHECK_LOOKS[check];
  return (
    <>
      <Group gap="sm" mb="sm">
        <Text span fz={28} lh="36px" fw={600}>
          {write(worth)}
        </Text>
        {!isOwn && (
          <StateChip state={state} icon={icon}>
            {t(`check.${check}`)}
          </StateChip>
        )}
      </Group>
      <Text size="sm" c="var(--q-ink-2)" mb="md">
        {uncounted
          ? worded(uncounted, 'text')
          : isOwn
            ? t('score.countsOf', { most: write(MOST_WORTH), clips: MOST_CLIPS })
            : t('score.counts')}
      </Text>
      {PARTS.map((part) => (
        <ScoreBar
          key={part}
          name={t(`score.part.${part}`)}
          value={score[part]}
          reason={t(score[part] === null ? whyUnknown(part, score) : `score.means.${part}`)}
        />
      ))}
      <ScoreBar
        name={t('score.part.detail')}
        // Its bar shows what is above the least.
        value={detail === null ? null : (detail - LEAST_DETAIL) / (1 - LEAST_DETAIL)}
        shown={detail === null ? '–' : `×${format.short(detail, 2)}`}
        reason={t('score.means.detail', { tokens: format.number(uniqueTokens) })}
      />
    </>
  );
}

/** What does not count is not measured; how new a clip is depends on those of others. */
function whyUnknown(part: (typeof PARTS)[number], { uncounted }: ClipScore) {
  if (uncounted) return 'score.unknown.uncounted' as const;
  return part === 'novelty' ? ('score.unknown.novelty' as const) : ('score.unknown.models' as const);
}

import { Button, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  AnswersOf,
  EvaluationAnswerView,
  EvaluationDetails,
} from '../../../../src-preload/contract/evaluation.ts';
import { accuracyOf } from '../../../../src-preload/contract/evaluation-cells.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../evaluation.module.css';
import { kindOf, type Spot } from '../map/map-cells.ts';
import { useWords } from '../use-words.ts';
import { verdictOf } from './verdict.ts';

const TOGETHER = 20;

interface SpotInspectorProps {
  evaluation: EvaluationDetails;
  spot: Spot;
}

/** Everything about some questions: how they went together, and each of them with its answer. */
export function SpotInspector({ evaluation, spot }: SpotInspectorProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const { suite, kind, band, length, sum } = spot;
  const accuracy = accuracyOf(sum);
  const where = [t('tokens', { length: words.length(length) }), band && words.band(band), kind && words.kind(kind)];
  const unanswered = sum.asked - sum.answered;
  return (
    <Inspector title={words.suite(suite)} description={where.filter(Boolean).join(' · ')}>
      <Block>
        <Facts
          facts={[
            [t('spot.right'), accuracy !== undefined && format.percent(accuracy)],
            [t('spot.answered'), format.number(sum.answered)],
            [t('spot.noRoom'), unanswered > 0 && format.number(unanswered)],
            [t('spot.first'), sum.firstMs !== null && format.duration(sum.firstMs)],
            [t('spot.total'), sum.totalMs !== null && format.duration(sum.totalMs)],
            [t('spot.reads'), sum.promptTokensPerSecond !== null && format.number(sum.promptTokensPerSecond)],
          ]}
        />
      </Block>
      <Block title={t('spot.questions')}>
        <Answers id={evaluation.id} asked={sum.asked} of={ofSpot(spot)} />
      </Block>
    </Inspector>
  );
}

/** What asks for its answers alone. A variant may have its depth in its name, which then tells it. */
function ofSpot({ suite, variants, length, band }: Spot): AnswersOf {
  const tellDepth = variants.every((variant) => kindOf(variant) !== variant);
  return { suite, variants, length, ...(band !== null && !tellDepth && { band }) };
}

function Answers({ id, asked, of }: { id: string; asked: number; of: AnswersOf }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const found = useInfiniteQuery(
    api.evaluation.answers.infiniteOptions({
      input: (after: { text: number; question: number } | undefined) => ({
        id,
        limit: TOGETHER,
        of,
        ...(after && { after }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (page) => {
        const last = page.at(-1);
        return page.length === TOGETHER && last ? { text: last.text, question: last.question } : undefined;
      },
      placeholderData: keepPreviousData,
    }),
  );
  // There are more of them, while it runs.
  const known = useRef(asked);
  useEffect(() => {
    if (known.current !== asked) void found.refetch();
    known.current = asked;
  }, [asked, found.refetch]);
  const answers = found.data?.pages.flat() ?? [];
  return (
    <>
      {found.error !== null && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && found.error === null && <TableSkeleton rows={3} />}
      <ol className={classes.answers} aria-label={t('spot.questions')}>
        {answers.map((answer) => (
          <Answer key={`${answer.text} ${answer.question}`} id={id} answer={answer} />
        ))}
      </ol>
      {found.hasNextPage && (
        <ShownSoFar pages={found}>
          {t('spot.shown', { formatted: format.number(answers.length), all: format.number(asked) })}
        </ShownSoFar>
      )}
    </>
  );
}

function Answer({ id, answer }: { id: string; answer: EvaluationAnswerView }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const { verdict, state, icon } = verdictOf(answer);
  const [isOpen, setOpen] = useState(false);
  const meta = [
    answer.variant !== '' && words.kind(kindOf(answer.variant)),
    answer.depth !== null && t('spot.deep', { share: format.percent(answer.depth) }),
    answer.promptTokens !== null && t('tokens', { length: format.number(answer.promptTokens) }),
    answer.totalMs !== null && format.duration(answer.totalMs),
  ];
  return (
    <li>
      <p className={classes.verdict}>
        <StateChip state={state} icon={icon}>
          {t(`verdict.${verdict}`, { share: format.percent(answer.score) })}
        </StateChip>
        <span>{meta.filter(Boolean).join(' · ')}</span>
      </p>
      {answer.error && (
        <Text size="sm">
          {[worded(answer.error, 'message'), worded(answer.error, 'hint')].filter(Boolean).join(' ')}
        </Text>
      )}
      {answer.answer !== null && <p className={classes.said}>{answer.answer.trim() || t('spot.silent')}</p>}
      {answer.question >= 0 && answer.words !== null && !isOpen && (
        <Button size="xs" variant="subtle" color="gray" ml={-8} onClick={() => setOpen(true)}>
          {t('spot.showQuestion')}
        </Button>
      )}
      {isOpen && <Question id={id} answer={answer} />}
    </li>
  );
}

/** What was asked, and what would have been right. */
function Question({ id, answer: { text, question } }: { id: string; answer: EvaluationAnswerView }) {
  const { t } = useTranslation('evaluation');
  const { data, error } = useAnswer(
    api.evaluation.question.queryOptions({ input: { id, text, question }, staleTime: Number.POSITIVE_INFINITY }),
  );
  if (error) return <ErrorNote error={error} />;
  if (!data) return <TableSkeleton rows={1} />;
  return (
    <dl className={classes.question}>
      <dt>{t('spot.asked')}</dt>
      <dd>{data.asked}</dd>
      <dt>{t('spot.expected')}</dt>
      <dd>{data.expected.join(' / ')}</dd>
    </dl>
  );
}

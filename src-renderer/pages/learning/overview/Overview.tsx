import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { LearningFields } from '../LearningFields.tsx';
import { RunReport } from '../runs/RunReport.tsx';
import type { LiveLearning } from '../use-learning.ts';
import { InUse } from '../versions/InUse.tsx';
import { useVersions } from '../versions/use-versions.ts';
import { Beginning, KeepsNothing } from './Beginning.tsx';
import { Learnt } from './Learnt.tsx';
import { learntIn } from './learnt-chain.ts';
import { NowBar } from './NowBar.tsx';
import { Refused } from './Refused.tsx';
import { Aside, Waiting } from './Waiting.tsx';

const RUNS = 100;
/** What people change. */
const FIELDS = ['keep', 'when', 'use'] as const;

/** How learning stands, what came of it, and what waits. */
export function Overview({ learning }: { learning: LiveLearning }) {
  const { t } = useTranslation('learning');
  const { status } = learning;
  const runs = useAnswer(api.learning.runs.queryOptions({ input: { limit: RUNS } }));
  const versions = useVersions(status?.adapter);
  const error = runs.error ?? versions.error;
  const all = runs.data ?? [];
  const { name, data: known, steps } = versions;
  const learnt = known && steps && runs.data && learntIn(steps.current?.id ?? null, known, all);
  const refused = all.filter(({ state }) => state === 'rolled-back' || state === 'failed');
  const last = all.find(({ endedAt }) => endedAt !== null);
  const keepsNothing = status?.keeps === false;
  return (
    <>
      <NowBar learning={learning} />
      <PageBody>
        {error !== null && <ErrorNote error={error} onRetry={() => void runs.refetch()} />}
        {keepsNothing && <KeepsNothing />}
        {!keepsNothing && !learning.now?.run && learnt?.length === 0 && status && (
          <Beginning next={status.feedback.waiting > 0 ? 'isWaiting' : last ? 'tried' : 'how'} />
        )}
        {(!learnt || !status) && error === null && <Skeleton h={120} />}
        {learnt && learnt.length > 0 && status && <Counts learnt={learnt.length} {...status} />}
        {learnt && learnt.length > 0 && <Learnt runs={learnt} />}
        {steps && known && known.length > 0 && (
          <Section title={t('inUse.title')}>
            <InUse adapter={name} steps={steps} />
          </Section>
        )}
        {status && status.feedback.waiting > 0 && <Waiting />}
        {status && status.feedback.aside > 0 && <Aside />}
        <Refused runs={refused.filter(({ id }) => id !== last?.id)} />
        {last && <LastRun id={last.id} />}
        <LearningFields title={t('settings.title')} names={FIELDS} />
      </PageBody>
    </>
  );
}

type CountsProps = { learnt: number } & Pick<NonNullable<LiveLearning['status']>, 'feedback' | 'answers'>;

function Counts({ learnt, feedback, answers }: CountsProps) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  return (
    <Figures>
      <Figure hero label={t('figures.learnt')} value={format.number(learnt)} note={t('figures.learntMeans')} />
      <Figure
        label={t('figures.waiting')}
        value={format.number(feedback.waiting)}
        note={t(feedback.waiting === 0 ? 'figures.nothingWaits' : 'figures.waitingMeans')}
      />
      <Figure
        label={t('figures.answers')}
        value={format.number(answers.count)}
        note={
          answers.oldest === null
            ? t('figures.noAnswers')
            : t('figures.answersSince', { day: format.day(answers.oldest), bytes: format.bytes(answers.bytes) })
        }
      />
    </Figures>
  );
}

/** The way of the run that ended last, whatever came of it. */
function LastRun({ id }: { id: string }) {
  const { t } = useTranslation('learning');
  const { data, error } = useAnswer(api.learning.run.queryOptions({ input: { id } }));
  return (
    <Section title={t('last.title')}>
      <ErrorNote error={error} />
      {data && <RunReport run={data} />}
    </Section>
  );
}

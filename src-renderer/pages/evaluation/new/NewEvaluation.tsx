import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { SuiteView } from '../../../../src-preload/contract/evaluation.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import { Note } from '../../../components/Note.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../evaluation.module.css';
import { showEvaluation, useEvaluations } from '../use-evaluations.ts';
import { type Draft, namesTarget, sizeOf, useDraft } from './draft.ts';
import { FitNote } from './FitNote.tsx';
import { HowMany } from './HowMany.tsx';
import { Lengths } from './Lengths.tsx';
import { Suites } from './Suites.tsx';
import { Target } from './Target.tsx';
import { fittingOf, useBegin } from './use-begin.ts';
import { useRunsNone } from './use-own-model.ts';

/** What is to be asked, and whom. */
export function NewEvaluation() {
  const { t } = useTranslation('evaluation');
  const { data: suites, error, refetch } = useAnswer(api.evaluation.suites.queryOptions());
  const draft = useDraft();
  const begin = useBegin(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.begin();
  };
  return (
    <PageBody>
      <form onSubmit={submit}>
        <Section title={t('new.whom')}>
          <Target target={draft.target} />
        </Section>
        <Section title={t('new.what')} description={t('new.whatMeans')}>
          {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
          {!suites && error === null && <TableSkeleton rows={4} />}
          {suites && <Suites suites={suites} draft={draft} error={errorAt(begin.error, 'suites')} />}
        </Section>
        <Section title={t('new.lengths')} description={t('new.lengthsMean')}>
          <Lengths lengths={draft.lengths} own={draft.ownLengths} />
        </Section>
        <Section title={t('new.howMany')}>
          <HowMany draft={draft} />
        </Section>
        <div className={classes.end}>
          <ErrorNote error={errorBeside(begin.error, 'suites')} />
          {begin.fit && <FitNote fit={begin.fit} isOwn={draft.target.kind === 'local'} />}
          <Start draft={draft} suites={suites ?? []} begin={begin} />
        </div>
      </form>
    </PageBody>
  );
}

interface StartProps {
  draft: Draft;
  suites: readonly SuiteView[];
  begin: ReturnType<typeof useBegin>;
}

const CHECKING = {
  local: 'new.checking',
  mesh: 'new.checkingServer',
  address: 'new.checkingServer',
  axon: 'new.checkingMiner',
} as const;

/** How much that is, and the button. */
function Start({ draft, suites, begin }: StartProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const { all } = useEvaluations();
  const other = all?.find(({ state }) => state === 'running');
  const { fit, isLooking, isStarting } = begin;
  const runsNone = useRunsNone();
  const lengths = fit ? fittingOf(fit) : draft.lengths;
  const { texts, tokens } = sizeOf(
    { ...draft, lengths },
    (name) => suites.find((suite) => suite.name === name)?.variants.length ?? 0,
  );
  if (other) {
    return (
      <Note
        title={t('new.another')}
        actions={
          <Button size="xs" variant="default" onClick={() => showEvaluation(other.id)}>
            {t('new.showIt')}
          </Button>
        }
      >
        {t('new.anotherMeans')}
      </Note>
    );
  }
  const isNamed = namesTarget(draft);
  const isNobody = runsNone && draft.target.kind === 'local';
  const said = isLooking
    ? t(CHECKING[draft.target.kind])
    : !isNamed || isNobody
      ? t(isNobody ? 'new.nobody' : draft.target.kind === 'axon' ? 'new.noMiner' : 'new.noServer')
      : texts > 0
        ? t('new.size', { count: texts, formatted: format.number(texts), tokens: format.short(tokens) })
        : !fit && t('new.nothing');
  return (
    <div className={classes.start}>
      <Button
        type="submit"
        leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
        loading={isLooking || isStarting}
        disabled={texts === 0 || !isNamed || isNobody}
      >
        {t(fit && texts > 0 ? 'new.startOthers' : 'new.start')}
      </Button>
      {isLooking && (
        <Button variant="default" onClick={begin.stop}>
          {t('new.cancel')}
        </Button>
      )}
      <span className={classes.sum} role="status">
        {said}
      </span>
    </div>
  );
}

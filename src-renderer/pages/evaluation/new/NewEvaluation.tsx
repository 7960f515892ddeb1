import { Box, Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
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
import { refreshEvaluations, showEvaluation, useEvaluations } from '../use-evaluations.ts';
import { type Draft, requestOf, sizeOf, useDraft } from './draft.ts';
import { FitNote } from './FitNote.tsx';
import { HowMany } from './HowMany.tsx';
import { Lengths } from './Lengths.tsx';
import { Suites } from './Suites.tsx';
import { Target } from './Target.tsx';

/** What is to be asked, and whom. */
export function NewEvaluation() {
  const { t } = useTranslation('evaluation');
  const { data: suites, error, refetch } = useAnswer(api.evaluation.suites.queryOptions());
  const draft = useDraft();
  const start = useMutation(
    api.evaluation.start.mutationOptions({
      onSuccess: async ({ id }) => {
        await refreshEvaluations();
        showEvaluation(id);
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate(requestOf(draft));
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
          {suites && <Suites suites={suites} draft={draft} error={errorAt(start.error, 'suites')} />}
        </Section>
        <Section title={t('new.lengths')} description={t('new.lengthsMean')}>
          <Lengths lengths={draft.lengths} own={draft.ownLengths} />
          <FitNote draft={draft} />
        </Section>
        <Section title={t('new.howMany')}>
          <HowMany draft={draft} />
        </Section>
        <Box mt={24}>
          <ErrorNote error={errorBeside(start.error, 'suites')} />
          <Start draft={draft} suites={suites ?? []} isPending={start.isPending} />
        </Box>
      </form>
    </PageBody>
  );
}

interface StartProps {
  draft: Draft;
  suites: readonly SuiteView[];
  isPending: boolean;
}

/** How much that is, and the button. */
function Start({ draft, suites, isPending }: StartProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const { all } = useEvaluations();
  const other = all?.find(({ state }) => state === 'running');
  const { texts, tokens } = sizeOf(draft, (name) => suites.find((suite) => suite.name === name)?.variants.length ?? 0);
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
  return (
    <div className={classes.start}>
      <Button
        type="submit"
        leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
        loading={isPending}
        disabled={texts === 0}
      >
        {t('new.start')}
      </Button>
      <span className={classes.sum} role="status">
        {texts === 0
          ? t('new.nothing')
          : t('new.size', { count: texts, formatted: format.number(texts), tokens: format.short(tokens) })}
      </span>
    </div>
  );
}

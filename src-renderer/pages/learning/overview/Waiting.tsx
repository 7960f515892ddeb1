import { Box, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { useSentence } from '../Quotes.tsx';
import { refreshLearning } from '../use-learning.ts';

const MOST = 50;
const LOOK_AGAIN_MS = 5_000;

/** Feedback that the next run learns from; each can be taken back until then. */
export function Waiting() {
  const { t } = useTranslation('learning');
  return <FeedbackList state="waiting" title={t('waiting.title')} />;
}

/** Feedback that runs failed with, and why. */
export function Aside() {
  const { t } = useTranslation('learning');
  const start = useMutation(api.learning.start.mutationOptions({ onSettled: refreshLearning }));
  const again = (
    <Button size="xs" variant="default" loading={start.isPending} onClick={() => start.mutate(undefined)}>
      {t('aside.again')}
    </Button>
  );
  return (
    <FeedbackList state="aside" title={t('aside.title')} description={t('aside.what')} aside={again}>
      <ErrorNote error={start.error} />
    </FeedbackList>
  );
}

interface FeedbackListProps extends Pick<ComponentProps<typeof Section>, 'title' | 'description' | 'aside'> {
  state: 'waiting' | 'aside';
  children?: ReactNode;
}

function FeedbackList({ state, children, ...section }: FeedbackListProps) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const sentence = useSentence();
  const { data, error } = useAnswer(
    api.learning.feedback.queryOptions({ input: { state, limit: MOST }, refetchInterval: LOOK_AGAIN_MS }),
  );
  const withdraw = useMutation(api.learning.withdraw.mutationOptions({ onSettled: refreshLearning }));
  if (!error && (data?.feedback.length ?? 0) === 0) return null;
  return (
    <Section {...section}>
      {children}
      <ErrorNote error={error ?? withdraw.error} />
      <ul className={classes.sentences}>
        {data?.feedback.map((one) => (
          <li key={one.id} className={classes.withAction}>
            <div>
              <p className={classes.quote}>{sentence(one)}</p>
              <p className={classes.meta}>
                <span className={classes.about}>{t('waiting.about', { question: one.question || one.seen })}</span>{' '}
                <span className={classes.when}>{format.relative(one.at)}</span>
              </p>
              {state === 'aside' && one.failure && (
                <Box mt={8}>
                  <ErrorNote error={new QuarryError(one.failure)} />
                </Box>
              )}
            </div>
            <Button
              size="xs"
              variant="default"
              aria-label={t('waiting.withdrawOne', { what: sentence(one) })}
              disabled={withdraw.isPending}
              onClick={() => withdraw.mutate({ id: one.id })}
            >
              {t('waiting.withdraw')}
            </Button>
          </li>
        ))}
      </ul>
      {data?.more && <p className={classes.meta}>{t('waiting.more', { formatted: format.number(MOST) })}</p>}
    </Section>
  );
}

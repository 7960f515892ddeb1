import { Anchor, Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { wantRun } from '../../../state/wanted.ts';
import classes from '../learning.module.css';
import { Quotes } from '../Quotes.tsx';

const SHOWN_FIRST = 5;

/** What is learnt and in use, in sentences, with how sure that is. */
export function Learnt({ runs }: { runs: readonly LearningRunView[] }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const [all, setAll] = useState(false);
  const shown = all ? runs : runs.slice(0, SHOWN_FIRST);
  return (
    <Section title={t('learnt.title')}>
      <ul className={classes.sentences}>
        {shown.map((run) => (
          <li key={run.id}>
            <Quotes feedback={run.feedback} />
            <Result id={run.id} />
            <p className={classes.meta}>
              {format.time(run.endedAt ?? run.createdAt)} · <HowItWent id={run.id} />
            </p>
          </li>
        ))}
      </ul>
      {shown.length < runs.length && (
        <Button variant="subtle" color="gray" size="xs" onClick={() => setAll(true)}>
          {t('all', { formatted: format.number(runs.length) })}
        </Button>
      )}
    </Section>
  );
}

/** How many answers to other questions are as they were wanted. */
function Result({ id }: { id: string }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const { data, error } = useAnswer(api.learning.run.queryOptions({ input: { id } }));
  if (!data) return error ? <ErrorNote error={error} /> : <Skeleton h={18} w={280} />;
  const [before, after] = [data.before?.compliance, data.after?.compliance];
  if (before === undefined || after === undefined) return null;
  return (
    <p className={classes.result}>
      {t('learnt.result', { after: format.percent(after), before: format.percent(before) })}
    </p>
  );
}

/** The way to all that is known of a run. */
export function HowItWent({ id }: { id: string }) {
  const { t } = useTranslation('learning');
  return (
    <Anchor href="#/learning/history" inherit underline="always" onClick={() => wantRun(id)}>
      {t('howItWent')}
    </Anchor>
  );
}

import { Box, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Rating } from '../../../../src-preload/contract/focus-score.ts';
import { isRefused } from '../../../../src-preload/contract/is-refused.ts';
import { Block, Facts } from '../../../components/page/Inspector.tsx';
import { ScoreBar } from '../../../components/ScoreBar.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../focus.module.css';
import { ScoreActions } from './ScoreActions.tsx';
import { STATE_LOOKS } from './state-looks.ts';
import { useRules } from './use-rules.ts';

/** What a recording is worth: the score, what it is made of, what a model says, and what would raise it. */
export function ModelScore({ rating }: { rating: Rating }) {
  const { t } = useTranslation('focus');
  const { verdict, model, older } = rating;
  return (
    <>
      <Block title={t('score.title')}>
        <Headline rating={rating} />
        <ScoreActions verdict={verdict} />
      </Block>
      {model && <Why rating={rating} />}
      {model?.completion?.missing && (
        <Block title={t('score.raise')}>
          <Text size="sm">{model.completion.missing}</Text>
        </Block>
      )}
      {model && older && (
        <Block>
          <details className={classes.advanced}>
            <summary>{t('score.older.title')}</summary>
            <Older older={older} />
          </details>
        </Block>
      )}
    </>
  );
}

function Headline({ rating: { verdict, model, appeals } }: { rating: Rating }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const { state, icon } = STATE_LOOKS[verdict.state];
  return (
    <Box mb="sm">
      <Group gap="sm">
        {verdict.score !== null && <span className={classes.clock}>{format.short(verdict.score, 2)}</span>}
        <StateChip state={state} icon={icon}>
          {t(`state.${verdict.state}`)}
        </StateChip>
      </Group>
      <Text size="sm" c="var(--q-ink-2)" mt={6}>
        {worded(verdict, 'text') ?? t('score.notYet')}
      </Text>
      <Whose rating={{ verdict, model }} />
      {appeals.map(({ at, note }) => (
        <Text key={at} size="sm" mt={6}>
          {t('score.appeal.said', { when: format.time(at), note })}
        </Text>
      ))}
    </Box>
  );
}

/** Whose word it is, so that it is not taken for another's: the rules stand above with theirs. */
function Whose({ rating: { verdict, model } }: { rating: Pick<Rating, 'verdict' | 'model'> }) {
  const { t } = useTranslation('focus');
  const { data: rules } = useRules(verdict.id);
  if (model) return <BothScores rules={rules?.score ?? null} model={model.score} />;
  if (!rules) return null;
  const told = {
    draft: isRefused(rules) ? 'score.whose.wouldRefuse' : 'score.whose.wouldAsk',
    rejected: 'score.whose.rules',
  } as const;
  const { state } = verdict;
  if (state !== 'draft' && state !== 'rejected') return null;
  return (
    <Text size="sm" c="var(--q-ink-2)" mt={6}>
      {t(told[state])}
    </Text>
  );
}

/** What the rules say beside what the model says. */
function BothScores({ rules, model }: { rules: number | null; model: number | null }) {
  const { t } = useTranslation('focus');
  return (
    <Group grow mt="sm" gap="md">
      <ScoreBar name={t('score.byRules')} value={rules} />
      <ScoreBar name={t('score.byModel')} value={model} />
    </Group>
  );
}

function Why({ rating: { verdict, model, uniqueness } }: { rating: Rating }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  if (!model) return null;
  const { completion, legitimacy, boost, score, annotation, host } = model;
  const number = (value: number) => format.short(value, 2);
  return (
    <Block title={verdict.score === null ? t('score.why') : t('score.whyScore', { score: number(verdict.score) })}>
      {completion && <ScoreBar name={t('score.done')} value={completion.score} reason={completion.rationale} />}
      {completion && boost !== 1 && (
        <ScoreBar
          name={t('score.boost')}
          value={1}
          shown={`× ${format.number(boost, 2)}`}
          colour="var(--q-ore)"
          reason={`${number(completion.score)} × ${format.number(boost, 2)} = ${number(score ?? 0)}`}
        />
      )}
      <ScoreBar name={t('score.part.taskUniqueness')} value={uniqueness?.task ?? null} colour="var(--q-wait)" />
      <ScoreBar
        name={t('score.part.descriptionUniqueness')}
        value={uniqueness?.description ?? null}
        colour="var(--q-wait)"
      />
      <ScoreBar name={t('score.part.videoUniqueness')} value={uniqueness?.pictures ?? null} colour="var(--q-wait)" />
      <Facts
        facts={[
          [t('score.work'), legitimacy && t(legitimacy.legitimate ? 'score.yes' : 'score.no')],
          [t('score.used'), annotation.applications.length > 0 && format.list(annotation.applications)],
          [t('score.by'), model.model],
          [t('score.at'), host],
        ]}
      />
      <Text size="sm" mt="sm">
        {annotation.description}
      </Text>
    </Block>
  );
}

function Older({ older }: { older: NonNullable<Rating['older']> }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  return (
    <Box mt="sm">
      <Text size="sm" mb="sm">
        {t('score.older.what', { score: older.score === null ? '–' : format.short(older.score, 2) })}
      </Text>
      {older.parts.map((part) => (
        <ScoreBar
          key={part.part}
          name={t(`score.part.${part.part as 'completion'}`)}
          value={part.value}
          colour="var(--q-idle)"
          reason={worded(part, 'text')}
        />
      ))}
    </Box>
  );
}

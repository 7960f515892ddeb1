import { Anchor, Button, NumberInput, Progress, Select, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EnvironmentView } from '../../../../src-preload/contract/validator.ts';
import { MOST_SAMPLES } from '../../../../src-preload/contract/validator-names.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { PageSkeleton } from '../../../components/page/PageSkeleton.tsx';
import { Section } from '../../../components/Section.tsx';
import { SwitchRow } from '../../../components/setting-field/SwitchRow.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { knownText } from '../../../i18n/known-text.ts';
import { modelTitle } from '../../../i18n/model-title.ts';
import { useNode } from '../../../state/node.ts';
import { settingValue } from '../../../state/settings.ts';
import { type Asked, askedTasks } from '../asked-tasks.ts';
import { TaskChoice } from '../TaskChoice.tsx';
import { useEnvironments } from '../use-environments.ts';
import classes from '../validator.module.css';
import { PracticeResults } from './PracticeResults.tsx';
import { cancelPractice, startPractice, usePractice } from './practice.ts';

/** Asks this computer’s own model what a validator would ask a miner: no chain, no account, nothing is sent. */
export function TryIt() {
  const tasks = useEnvironments();
  const { data: settings } = useAnswer(api.settings.list.queryOptions());
  if (!tasks || !settings) return <PageSkeleton />;
  const set = {
    environments: settingValue<string[]>(settings, 'validator.environments'),
    level: settingValue<string>(settings, 'validator.level'),
  };
  return (
    <PageBody>
      <div className={classes.room}>
        <div className={classes.trial}>
          <div>
            <Form tasks={tasks} set={set} />
          </div>
          <Outcome />
        </div>
      </div>
    </PageBody>
  );
}

const USUAL = { samples: 5, maxTokens: 512 };

interface FormProps {
  tasks: readonly EnvironmentView[];
  /** What the validator asks: what is kept stands beside that. */
  set: Asked;
}

function Form({ tasks, set }: FormProps) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { state } = usePractice();
  const [chosen, setChosen] = useState(() => askedTasks(tasks, set.environments));
  const [level, setLevel] = useState(set.level);
  const [samples, setSamples] = useState(USUAL.samples);
  const [maxTokens, setMaxTokens] = useState(USUAL.maxTokens);
  const [keep, setKeep] = useState(true);
  const levelNames = t('level', { returnObjects: true }) as Record<string, string>;
  const levels = [...new Set(tasks.filter(({ name }) => chosen.includes(name)).flatMap((one) => one.levels))];
  const isRunning = state === 'running';
  const known = level !== undefined && levels.includes(level) ? level : undefined;
  const start = () =>
    void startPractice({ environments: chosen, ...(known && { level: known }), samples, maxTokens, keep });
  return (
    <Section title={t('try.title')} description={t('try.what')}>
      <fieldset className={classes.form} disabled={isRunning} style={{ border: 0, padding: 0, margin: 0 }}>
        <AskedModel />
        <TaskChoice label={t('tasks')} tasks={tasks} chosen={chosen} onChange={setChosen} />
        <div className={classes.pair}>
          <NumberInput
            label={t('try.samples')}
            description={t('try.inAll', {
              count: samples * chosen.length,
              formatted: format.number(samples * chosen.length),
            })}
            min={1}
            max={MOST_SAMPLES}
            allowDecimal={false}
            value={samples}
            onChange={(value) => setSamples(whole(value, MOST_SAMPLES))}
          />
          <Select
            label={t('try.level')}
            description={t('try.levelHint')}
            value={known ?? levels[0] ?? null}
            onChange={(value) => setLevel(value ?? undefined)}
            allowDeselect={false}
            data={levels.map((value) => ({ value, label: knownText(levelNames, value) }))}
          />
        </div>
        <NumberInput
          label={t('try.tokens')}
          description={t('try.tokensHint')}
          min={1}
          max={100_000}
          allowDecimal={false}
          value={maxTokens}
          onChange={(value) => setMaxTokens(whole(value, 100_000))}
        />
        <SwitchRow
          label={t('try.keep')}
          description={t('try.keepHint')}
          checked={keep}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
      </fieldset>
      <Button
        mt={16}
        variant={isRunning ? 'default' : 'filled'}
        leftSection={
          isRunning ? (
            <IconPlayerStopFilled size={15} stroke={1.6} aria-hidden />
          ) : (
            <IconPlayerPlay size={15} stroke={1.6} aria-hidden />
          )
        }
        onClick={isRunning ? cancelPractice : start}
      >
        {t(isRunning ? 'try.cancel' : 'try.start')}
      </Button>
    </Section>
  );
}

const whole = (value: string | number, most: number) => Math.min(most, Math.max(1, Math.round(Number(value)) || 1));

/** Which model is asked, and where another one is chosen. */
function AskedModel() {
  const { t } = useTranslation('validator');
  const loaded = useNode(({ status }) => status?.engine.model?.name);
  const served = useNode(({ status }) => status?.mining?.model);
  const name = loaded ?? served;
  return (
    <Text size="sm">
      {name ? t('try.asks', { model: modelTitle(name).title }) : t('try.asksSet')}{' '}
      <Anchor href="#/models" inherit underline="always">
        {t('try.other')}
      </Anchor>
    </Text>
  );
}

/** How far it is, and what came of it. */
function Outcome() {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { state, all, done, keeps, tallies, last, error } = usePractice();
  if (state === 'idle') return null;
  const counts = { done: format.number(done), all: format.number(all) };
  return (
    <Section title={t('try.outcome')}>
      <Text size="sm" role="status" mb={8}>
        {t(`try.state.${state}`, counts)}{' '}
        {state !== 'running' && keeps && done > 0 && (
          <Anchor href="#/validator" inherit underline="always">
            {t('try.seeBoard')}
          </Anchor>
        )}
      </Text>
      {state === 'running' && (
        <Progress value={all > 0 ? (100 * done) / all : 0} maw={520} mb={16} aria-label={t('try.outcome')} />
      )}
      <ErrorNote error={state === 'failed' ? error : undefined} />
      <PracticeResults tallies={tallies} last={last} />
    </Section>
  );
}

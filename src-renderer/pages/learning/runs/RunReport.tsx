import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LearningMeasures, LearningRunDetails } from '../../../../src-preload/contract/learning-runs.ts';
import { Facts } from '../../../components/page/Inspector.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../learning.module.css';
import { Quotes } from '../Quotes.tsx';
import { RunCharts } from './RunCharts.tsx';
import { RunReasons } from './RunReasons.tsx';
import { RUN_LOOKS } from './run-looks.ts';

/** Everything about a run, from what was said to what came of it; as wide as there is room. */
export function RunReport({ run }: { run: LearningRunDetails }) {
  const { t } = useTranslation('learning');
  const { state, icon } = RUN_LOOKS[run.state];
  return (
    <div className={classes.report}>
      <div>
        <p className={classes.chipLine}>
          <StateChip state={state} icon={icon}>
            {t(`state.${run.state}`)}
          </StateChip>
        </p>
        <Quotes feedback={run.feedback} />
        <RunReasons run={run} />
      </div>
      {run.shown && <BeforeAfter shown={run.shown} isTaken={run.state === 'accepted'} />}
      <div className={classes.pair}>
        <Part title={t('report.objective')}>
          {run.objective && <p className={classes.strong}>{t(`objective.${run.objective}`)}</p>}
          <p className={classes.text}>{run.why ? worded(run.why, 'text') : t('report.noObjective')}</p>
          {run.computed && <p className={classes.text}>{worded(run.computed, 'text')}</p>}
        </Part>
        <Part title={t('report.cost')}>
          <Cost run={run} />
        </Part>
      </div>
      {run.before && run.after && (
        <Part title={t('report.measures')}>
          <Measures before={run.before} after={run.after} />
        </Part>
      )}
      {run.curve.length > 0 && (
        <Part title={t('report.curves')}>
          <p className={classes.text}>{t('report.quickLooks')}</p>
          <FullLooks curve={run.curve} />
          <RunCharts run={run} />
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={3} mb={6}>
        {title}
      </Title>
      {children}
    </div>
  );
}

/** What each look in full found, and why it was taken or was not. */
function FullLooks({ curve }: Pick<LearningRunDetails, 'curve'>) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  return curve.map(({ step, full }) => {
    if (!full) return null;
    const [why] = full.reasons;
    const [compliance, capability] = [format.percent(full.compliance), format.percent(full.capability)];
    return (
      <p key={step} className={classes.text}>
        {t('report.fullLook', { step: format.number(step), compliance, capability })} {why && worded(why, 'text')}
      </p>
    );
  });
}

interface BeforeAfterProps {
  shown: NonNullable<LearningRunDetails['shown']>;
  /** Something came of it. */
  isTaken: boolean;
}

/** One question, and what the model says to it before and after, side by side where there is room. */
function BeforeAfter({ shown: { prompt, before, after }, isTaken }: BeforeAfterProps) {
  const { t } = useTranslation('learning');
  const answer = (text: string) => <p className={classes.answer}>{text.trim() || t('report.silent')}</p>;
  return (
    <Part title={t('report.way')}>
      <p className={classes.prompt}>{prompt}</p>
      <div className={classes.pair}>
        <div>
          <h4 className={classes.chartTitle}>{t('report.before')}</h4>
          {answer(before)}
        </div>
        <div data-after={isTaken || undefined}>
          <h4 className={classes.chartTitle}>{t(isTaken ? 'report.after' : 'report.afterNotTaken')}</h4>
          {answer(after)}
        </div>
      </div>
    </Part>
  );
}

function Cost({ run }: { run: LearningRunDetails }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const { startedAt, createdAt, step, steps, seconds, wattHours } = run;
  return (
    <Facts
      facts={[
        [t('report.began'), format.time(startedAt ?? createdAt)],
        [t('report.steps'), t('report.stepsOf', { step: format.number(step), steps: format.number(steps) })],
        [t('report.time'), seconds > 0 && t('report.seconds', { formatted: format.number(seconds) })],
        [
          t('report.energy'),
          wattHours === null ? t('report.energyUnknown') : t('wattHours', { formatted: format.number(wattHours, 1) }),
        ],
      ]}
    />
  );
}

function Measures({ before, after }: { before: LearningMeasures; after: LearningMeasures }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const percent = (value: number) => format.percent(value);
  const number = (value: number) => format.number(value, 2);
  const row = (name: keyof LearningMeasures, write: (value: number) => string) => {
    const [was, is] = [before[name], after[name]];
    const told = was !== undefined && is !== undefined && t('report.change', { before: write(was), after: write(is) });
    return [t(`measure.${name}`), told] as const;
  };
  return (
    <Facts
      facts={[
        row('compliance', percent),
        row('capability', percent),
        row('margin', number),
        row('marginSum', (value) => format.number(value, 1)),
        row('entropyRatio', number),
        row('selfRouge', number),
        row('drift', (value) => number(Math.abs(value))),
      ]}
    />
  );
}

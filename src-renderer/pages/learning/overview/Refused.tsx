import { useTranslation } from 'react-i18next';
import type { LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { Section } from '../../../components/Section.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { Quotes } from '../Quotes.tsx';
import { RunReasons } from '../runs/RunReasons.tsx';
import { RUN_LOOKS } from '../runs/run-looks.ts';
import { HowItWent } from './Learnt.tsx';

const SHOWN = 3;

/** What was tried last and is not in use, with why. */
export function Refused({ runs }: { runs: readonly LearningRunView[] }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  if (runs.length === 0) return null;
  return (
    <Section title={t('refused.title')} description={t('refused.what')}>
      <ul className={classes.sentences}>
        {runs.slice(0, SHOWN).map((run) => {
          const { state, icon } = RUN_LOOKS[run.state];
          return (
            <li key={run.id}>
              <Quotes feedback={run.feedback} />
              <RunReasons run={run} />
              <p className={classes.meta}>
                <StateChip state={state} icon={icon}>
                  {t(`state.${run.state}`)}
                </StateChip>{' '}
                {format.time(run.endedAt ?? run.createdAt)} · <HowItWent id={run.id} />
              </p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

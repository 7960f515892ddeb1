import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { WeightsView } from '../../../../src-preload/contract/validator.ts';
import type { WeightSetting } from '../../../../src-preload/contract/validator-run.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { useFormat } from '../../../i18n/format.ts';
import type { LiveRun } from '../run/use-run.ts';
import classes from '../validator.module.css';
import { WeightsTrouble } from '../weights/WeightsTrouble.tsx';

const AGAIN_MS = 5_000;

/** What was asked today, how many take part, how many answered, and what is under way. */
export function LeaderboardFigures({ run, weights }: { run: LiveRun; weights: WeightsView | undefined }) {
  const { state, isRunning } = run;
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { data: today } = useAnswer(
    api.validator.counts.queryOptions({
      input: { since: new Date().setHours(0, 0, 0, 0) },
      placeholderData: keepPreviousData,
      refetchInterval: isRunning ? AGAIN_MS : false,
    }),
  );
  const ranked = weights?.miners.filter(({ isEligible }) => isEligible).length;
  const all = weights?.miners.length ?? 0;
  const without = today && today.asked - today.answered;
  return (
    <div className={classes.figures}>
      <Figures>
        <Figure
          label={t('figures.today')}
          value={today && format.number(today.asked)}
          note={t(isRunning ? 'figures.running' : 'figures.notRunning', {
            formatted: format.number(state?.inFlight ?? 0),
          })}
        />
        <Figure
          label={t('figures.ranked')}
          value={ranked === undefined ? undefined : format.number(ranked)}
          unit={t('figures.of', { formatted: format.number(all) })}
          note={
            weights &&
            t(all === 0 ? 'figures.nobody' : ranked === all ? 'figures.allRanked' : 'figures.tooFew', {
              count: all - (ranked ?? 0),
              formatted: format.number(all - (ranked ?? 0)),
            })
          }
        />
        <Figure
          label={t('figures.answered')}
          value={today && (today.asked === 0 ? '–' : format.percent(cutOff(today.answered / today.asked), 1))}
          note={
            without !== undefined &&
            t(without === 0 ? 'figures.noneWithout' : 'figures.without', {
              count: without,
              formatted: format.number(without),
            })
          }
        />
        {state && state.weights.way !== 'off' && <SetFigure weights={state.weights} isRunning={isRunning} />}
      </Figures>
      <WeightsTrouble run={run} />
    </div>
  );
}

/** Not rounded: all is said where it is all. */
const cutOff = (share: number) => Math.floor(share * 1_000) / 1_000;

/** When weights were set on the chain, and are to be next. */
function SetFigure({ weights: { setAt, nextAt, fault }, isRunning }: { weights: WeightSetting; isRunning: boolean }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const next = () => {
    if (fault) return t('figures.notSet');
    if (!isRunning) return t('figures.setWhenRunning');
    if (nextAt === null) return undefined;
    return nextAt <= Date.now() ? t('figures.due') : t('figures.next', { time: format.relative(nextAt) });
  };
  return (
    <Figure
      wide
      label={t('figures.set')}
      value={setAt === null ? t('chain.never') : format.relative(setAt)}
      note={next()}
    />
  );
}

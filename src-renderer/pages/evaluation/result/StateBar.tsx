import { Button } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { EvaluationCellView, EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { summedCells } from '../../../../src-preload/contract/evaluation-cells.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../evaluation.module.css';
import { STATE_LOOKS } from '../state-looks.ts';
import { refreshEvaluations } from '../use-evaluations.ts';

interface StateBarProps {
  evaluation: EvaluationView;
  cells: readonly EvaluationCellView[];
}

/** How far it is, and what can be done about that. */
export function StateBar({ evaluation, cells }: StateBarProps) {
  const { t } = useTranslation('evaluation');
  const { id, state, error } = evaluation;
  const changed = { onSettled: refreshEvaluations };
  const pause = useMutation(api.evaluation.pause.mutationOptions(changed));
  const resume = useMutation(api.evaluation.resume.mutationOptions(changed));
  const look = STATE_LOOKS[state];
  return (
    <section className={classes.now} aria-label={t('state.title')}>
      <div className={classes.nowLine}>
        <span role="status">
          <StateChip state={look.state} icon={look.icon}>
            {t(`state.${state}`)}
          </StateChip>
        </span>
        <span className={classes.nowWords}>
          <Progress evaluation={evaluation} cells={cells} />
        </span>
        {state === 'running' && (
          <Button
            variant="default"
            leftSection={<IconPlayerPauseFilled size={15} aria-hidden />}
            loading={pause.isPending}
            onClick={() => pause.mutate({ id })}
          >
            {t('state.pause')}
          </Button>
        )}
        {(state === 'paused' || state === 'failed') && (
          <Button
            leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
            loading={resume.isPending}
            onClick={() => resume.mutate({ id })}
          >
            {t('state.goOn')}
          </Button>
        )}
      </div>
      {state !== 'done' && <Meter parts={[{ share: evaluation.done / Math.max(1, evaluation.texts) }]} />}
      {error && <ErrorNote error={new QuarryError(error)} />}
      <ErrorNote error={pause.error ?? resume.error} />
    </section>
  );
}

function Progress({ evaluation: { state, texts, done, seconds, secondsLeft }, cells }: StateBarProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const { asked } = summedCells(cells);
  const told = [
    state === 'done'
      ? t('state.texts', { count: texts, formatted: format.number(texts) })
      : t('state.doneOf', { done: format.number(done), texts: format.number(texts) }),
    asked > 0 && t('state.questions', { count: asked, formatted: format.number(asked) }),
    seconds > 0 && t('state.took', { time: format.duration(1_000 * seconds) }),
    secondsLeft !== null && t('state.left', { time: format.duration(1_000 * secondsLeft) }),
  ];
  return told.filter(Boolean).join(' · ');
}

import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useNode } from '../../../state/node.ts';
import classes from '../playground.module.css';
import type { RunningAnswer } from '../state/answers.ts';

/** Below an answer that is coming: where it stands. */
export function AnswerProgress({ answer }: { answer: RunningAnswer }) {
  const { t } = useTranslation('playground');
  const { restarted } = answer;
  return (
    <>
      {restarted && <p className={classes.foot}>{t('restarted', { reason: restarted })}</p>}
      <div className={classes.foot}>
        <span className={classes.dot} />
        <span>
          <span role="status">
            <Stage answer={answer} />
          </span>
          {answer.stage === 'writing' && <Progress answer={answer} />}
        </span>
      </div>
    </>
  );
}

/** Told to those who hear it, so it changes with the stage only. */
function Stage({ answer }: { answer: RunningAnswer }) {
  const { target, stage, worker, position = 0, etaMs = 0, filed } = answer;
  const loaded = useNode(({ status }) => status?.engine.state === 'ready');
  const { t } = useTranslation('playground');
  const format = useFormat();
  const name = worker ? shortId(worker) : '';
  switch (stage) {
    case 'filing':
      return t('stage.filing', { share: format.percent(filed ?? 0) });
    case 'asking':
      if (target === 'local') return t(loaded ? 'stage.reading' : 'stage.loading');
      return target && t('stage.asking');
    case 'chosen':
      return t('stage.chosen', { worker: name });
    case 'queued': {
      if (etaMs === 0) return t('stage.chosen', { worker: name }); // a place is free
      const place = format.number(position + 1);
      return t('stage.queued', { worker: name, place, time: format.duration(etaMs) });
    }
    case 'writing':
      return t('stage.writing');
  }
}

/** How much has come, and how fast. */
function Progress({ answer: { tokens, beganAt = 0 } }: { answer: RunningAnswer }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const seconds = (Date.now() - beganAt) / 1_000;
  const speed = seconds >= 1 && t('tokensPerSecond', { formatted: format.number(tokens / seconds) });
  const parts = [t('tokens', { count: tokens, formatted: format.number(tokens) }), speed];
  return <span className="num"> · {parts.filter(Boolean).join(' · ')}</span>;
}

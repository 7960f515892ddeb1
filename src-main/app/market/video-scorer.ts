import type { Logger } from 'pino';
import { takeStills } from '../../focus/media/media-job.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { MOST_KEY_FRAMES, MOST_PICTURE_SIDE } from '../../subnets/omega/focus/model/key-frames.ts';
import { draw } from '../../subnets/omega/focus/model/questions.ts';
import { type ModelScore, scoreByModel } from '../../subnets/omega/focus/model/score-by-model.ts';
import type { MarketScore, ScoreVideo } from '../../subnets/omega/market/server/examination.ts';
import { chooseJudge, type ScorerSettings } from '../focus/choose-judge.ts';
import { ModelJudge } from '../focus/model-judge.ts';

export interface VideoScorerOptions {
  settings: ScorerSettings;
  spawner: ProcessSpawner | undefined;
  closing: AbortSignal;
  log: Pick<Logger, 'info'>;
}

/**
 * Scores videos that strangers offer, by the questions that recordings of this computer are scored by (OMEGA, B11), from their pictures alone: what their
 * recorder says of keys and mouse, nobody else can check.
 *
 * @returns undefined where the settings name no model that may be asked
 */
export function videoScorer({ settings, spawner, closing, log }: VideoScorerOptions): ScoreVideo | undefined {
  const chosen = chooseJudge(settings);
  if ('lack' in chosen) return undefined;
  const onSent = (sent: object) => log.info({ ...sent }, 'a video of the market is shown to a model');
  const judge = new ModelJudge({ ...chosen, onSent, closing });
  return async (file, { multiplier, ...task }, signal) => {
    const pictures = { from: file, moments: { count: MOST_KEY_FRAMES }, side: MOST_PICTURE_SIDE, exact: false };
    const frames = await takeStills(pictures, { spawner, signal });
    const boost = { factor: multiplier, beyondOne: false };
    return marketScore(await scoreByModel({ task, boost, frames, minutes: [], judge, signal, draw }));
  };
}

/** What gives orders to whoever judges is not sold: its seller may cut that out, and offer it again. */
function marketScore({ score, completion, legitimacy, orders }: ModelScore): MarketScore {
  if (score === null) return { score: 0, review: false, reason: `It gives orders to whoever judges it: ${orders}` };
  const reason = completion?.rationale ?? legitimacy?.rationale ?? '';
  return { score, review: false, reason };
}

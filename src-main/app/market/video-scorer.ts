import type { Logger } from 'pino';
import { unforeseen } from '../../base/unforeseen.ts';
import { takeTypical } from '../../focus/media/media-job.ts';
import { spread } from '../../focus/media/shown-pictures.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { MOST_KEY_FRAMES, MOST_PICTURE_SIDE } from '../../subnets/omega/focus/model/key-frames.ts';
import { draw } from '../../subnets/omega/focus/model/questions.ts';
import { type ModelScore, OrdersInTask, scoreByModel } from '../../subnets/omega/focus/model/score-by-model.ts';
import type { MarketScore, ScoreVideo } from '../../subnets/omega/market/server/examination.ts';
import { chooseJudge, type ScorerSettings } from '../focus/choose-judge.ts';
import { ModelJudge } from '../focus/model-judge.ts';
import { readStranger } from './read-stranger.ts';

export interface VideoScorerOptions {
  settings: ScorerSettings;
  spawner: ProcessSpawner | undefined;
  closing: AbortSignal;
  /** 0 to below 1: where in its share of the video each picture is taken. Default: nobody can foresee it. */
  random?: (() => number) | undefined;
  log: Pick<Logger, 'info'>;
}

/**
 * Scores videos that strangers offer, by the questions that recordings of this computer are scored by (OMEGA, B11), from their pictures alone: what their
 * recorder says of keys and mouse, nobody else can check. Which pictures, nobody knows before.
 *
 * @returns undefined where the settings name no model that may be asked
 */
export function videoScorer({
  settings,
  spawner,
  closing,
  random = unforeseen,
  log,
}: VideoScorerOptions): ScoreVideo | undefined {
  const chosen = chooseJudge(settings);
  if ('lack' in chosen) return undefined;
  const onSent = (sent: object) => log.info({ ...sent }, 'a video of the market is shown to a model');
  const judge = new ModelJudge({ ...chosen, onSent, closing });
  return async (file, { title, description, durationMs }, signal) => {
    const moments = spread(MOST_KEY_FRAMES, durationMs, random);
    const pictures = { from: file, moments, side: MOST_PICTURE_SIDE };
    const frames = () => readStranger((tools) => takeTypical(pictures, tools), spawner, signal);
    const task = { title, description };
    try {
      return marketScore(await scoreByModel({ task, frames, minutes: [], judge, signal, draw }));
    } catch (error) {
      if (error instanceof OrdersInTask) return ordered(error.orders);
      throw error;
    }
  };
}

function marketScore({ score, completion, legitimacy, orders }: ModelScore): MarketScore {
  if (score === null) return ordered(orders ?? '');
  const reason = completion?.rationale ?? legitimacy?.rationale ?? '';
  return { score, review: false, reason };
}

/** What gives orders to whoever judges is not sold: its seller may cut that out, and offer it again. */
function ordered(orders: string): MarketScore {
  return { score: 0, review: false, mayChange: true, reason: `It gives orders to whoever judges it: ${orders}` };
}

import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import { longestContext } from '../../inference/rope.ts';
import { longestFor, settingsWords } from '../../models/fit/advice.ts';
import type { ModelFits } from './model-fits.ts';

/** Shorter, a model is of no use. */
const LEAST_CONTEXT = 512;

/**
 * Why a model was not loaded: where that is memory, with the settings by which it would have room. As it is where there are none, or nothing is known of its file.
 * @param contextSize as it is set
 */
export async function withRoomAdvice(
  error: unknown,
  modelPath: string | undefined,
  { fits, contextSize = DEFAULTS.contextSize }: { fits: Pick<ModelFits, 'roomOf'>; contextSize?: number | undefined },
): Promise<unknown> {
  if (!(error instanceof QuarryError) || error.code !== 'OUT_OF_MEMORY' || modelPath === undefined) return error;
  const file = await checkGguf(modelPath).catch(ignoring('nothing can be advised then'));
  if (!file) return error;
  const of = fits.roomOf(file, '');
  const limit = Math.min(contextSize, longestContext(of.model, of.set.rope));
  const found = await longestFor(LEAST_CONTEXT, limit, of);
  if (!found) return error;
  const hint = say('fit.wouldFit', { settings: settingsWords(found, of.set) });
  return new QuarryError({ ...error.toJSON(), hint }, { cause: error });
}

import type { z } from 'zod';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import type { scorer } from '../../focus/scorer-settings.ts';
import { parseBaseUrl } from '../../inference/remote/openai-models.ts';

export type ScorerSettings = Omit<z.infer<typeof scorer>, 'beyondOne'>;

/** Where the model is; or why none may be asked. */
export type ChosenJudge =
  | { baseUrl: URL; model: string; apiKey: string | undefined }
  | { lack: Saying /** What the owner would have to agree to: see `focus.scorer.picturesTo`. */; asks?: string };

/**
 * Pictures go to an address over https that its owner has agreed to, or to a program on this computer. Another address, another yes.
 * What a program on this computer does with them, Quarry cannot know.
 */
export function chooseJudge({ baseUrl, apiKey, model, picturesTo }: ScorerSettings): ChosenJudge {
  if (baseUrl === undefined || model === undefined) return { lack: say('focusScore.unscored.noModel') };
  const url = parseBaseUrl(baseUrl);
  const isHere = isLoopbackUrl(url);
  if (url.protocol !== 'https:' && !isHere) return { lack: say('focusScore.unscored.notSafe') };
  const agreed = picturesTo !== undefined && new URL(picturesTo).origin === url.origin;
  if (!isHere && !agreed) {
    return { lack: say('focusScore.unscored.notAgreed', { to: url.origin }), asks: url.origin };
  }
  return { baseUrl: url, model, apiKey };
}

import type { z } from 'zod';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { staysHere } from '../../focus/consent/consent-log.ts';
import type { scorer } from '../../focus/scorer-settings.ts';
import { parseBaseUrl } from '../../inference/remote/openai-models.ts';

export type ScorerSettings = Omit<z.infer<typeof scorer>, 'beyondOne'>;

/** Where the model is; or why none may be asked. */
export type ChosenJudge = JudgePlace &
  (
    | { baseUrl: URL; model: string; apiKey: string | undefined }
    | { lack: Saying /** What the owner would have to agree to: see `focus.scorer.picturesTo`. */; asks?: string }
  );

interface JudgePlace {
  /** With the port; null where none is set. */
  host: string | null;
  /** Whether that is this computer. */
  isHere: boolean;
}

/**
 * Pictures go to an address over https that its owner has agreed to, or to a program on this computer. Another address, another yes.
 * What a program on this computer does with them, Quarry cannot know.
 */
export function chooseJudge({ baseUrl, apiKey, model, picturesTo }: ScorerSettings): ChosenJudge {
  const url = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl);
  const isHere = url !== undefined && staysHere(url.host);
  const place = { host: url?.host ?? null, isHere };
  if (!url || model === undefined) return { ...place, lack: say('focusScore.unscored.noModel') };
  if (url.protocol !== 'https:' && !isHere) return { ...place, lack: say('focusScore.unscored.notSafe') };
  const agreed = picturesTo !== undefined && new URL(picturesTo).origin === url.origin;
  if (!isHere && !agreed) {
    return { ...place, lack: say('focusScore.unscored.notAgreed', { to: url.origin }), asks: url.origin };
  }
  return { ...place, baseUrl: url, model, apiKey };
}

import { jsonExcess } from '../../../../base/json-shape.ts';
import { parsedJson } from '../../../../base/json-text.ts';
import type { WantedClips } from '../../../../validation/environment.ts';
import { audioEntry, videoEntry } from './entries.ts';
import { handedInText, MOST_OF_CLIPS } from './handed-in.ts';
import type { ClipQuestion, ClipWorker } from './serve-clips.ts';

/** A question that came by a way which carries a text and no synapse. */
export interface AskedInText extends ClipQuestion, Pick<WantedClips, 'of'> {}

/** Hands in what an axon would: the same list, as JSON. @throws what `worker` throws */
export async function handInText(worker: ClipWorker, { of, topic, ...question }: AskedInText): Promise<string> {
  const asked = { topic: topic.trim(), ...question };
  const list =
    of === 'videos' ? (await worker.videos(asked)).map(videoEntry) : (await worker.sounds(asked)).map(audioEntry);
  return JSON.stringify(list);
}

/** The text that is judged, out of what {@link handInText} is said to have made: the same as of an axon. What is too large, or no JSON, is no list. */
export function readHandedIn(of: WantedClips['of'], text: string): string {
  const body = Buffer.from(text);
  const { bytes, marks, opened } = MOST_OF_CLIPS;
  const isTooMuch = body.length > bytes || jsonExcess(body, undefined, undefined, marks, opened);
  return handedInText(of, isTooMuch ? undefined : parsedJson(text));
}

import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import { MAX_CLIP_DESCRIPTION_CHARS, MAX_WORDS_CHARS } from '../../../src-preload/contract/data-limits.ts';
import type { RawSound } from '../media/media.ts';
import type { Captioner, Listeners, SpokenTurn } from '../models/clip-models.ts';
import type { ClipTools } from '../models/clip-tools.ts';
import type { Described } from './ports.ts';

/** What was heard in a clip. */
export interface Heard {
  /** Null where nothing is said, or nobody listened. */
  words: string | null;
  /** Who speaks when; null where nobody listened. */
  turns: SpokenTurn[] | null;
}

const NOT_HEARD: Heard = { words: null, turns: null };

/** @param sound null where there is none */
export async function listen(
  { words, speakers }: Listeners,
  sound: RawSound | null,
  signal: AbortSignal,
): Promise<Heard> {
  if (!sound) return NOT_HEARD;
  const said = await words?.words(sound, signal);
  const turns = await speakers?.turns(sound, signal);
  const text = said
    ?.map((one) => one.words.trim())
    .filter(Boolean)
    .join(' ')
    .slice(0, MAX_WORDS_CHARS);
  return { words: text || null, turns: turns ?? null };
}

export interface ToDescribe {
  video: Pick<FoundVideo, 'title' | 'description'>;
  words: string | null;
  /** Key frames, in their order. */
  jpegs: readonly Uint8Array[];
  /** What is seen, as numbers; null without models. */
  seen: Float32Array | null;
}

/**
 * Says what a clip is about: in the words of whoever published its video (OMEGA, B4), and after them in those of a model that sees it, else by what stands out in it and is spoken.
 * @param onFailed told why the model said nothing: the clip is described without it
 */
export async function describeClip(
  { video: { title, description }, words, jpegs, seen }: ToDescribe,
  { captioner, plain }: { captioner: Captioner | undefined; plain: ClipTools['plain'] },
  { signal, onFailed }: { signal: AbortSignal; onFailed: (error: unknown) => void },
): Promise<Described> {
  const told = captioner && (await caption(captioner, { title, jpegs, words }, signal, onFailed));
  if (told) return { text: together([title, told]), by: 'model', model: captioner.model ?? null };
  const found = await plain.describe({ title: '', video: seen, words }, signal);
  return { text: together([title, description, found]), by: found === '' ? 'title' : 'speech', model: null };
}

async function caption(
  captioner: Captioner,
  about: Parameters<Captioner['describe']>[0],
  signal: AbortSignal,
  onFailed: (error: unknown) => void,
): Promise<string | undefined> {
  try {
    return (await captioner.describe(about, signal)).trim();
  } catch (error) {
    signal.throwIfAborted();
    onFailed(error);
    return undefined;
  }
}

const together = (texts: readonly string[]) =>
  texts
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n\n')
    .slice(0, MAX_CLIP_DESCRIPTION_CHARS);

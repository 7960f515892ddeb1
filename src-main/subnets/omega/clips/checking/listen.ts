import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import { cosine } from '../../../../base/cosine.ts';
import type { MediaTool, Span } from '../../../../clips/media/media.ts';
import {
  type Listeners,
  SOUND_RATE,
  SPEECH_RATE,
  type SpokenTurn,
  type TextVectors,
} from '../../../../clips/models/clip-models.ts';
import { deepCheck, isBent } from '../rules/deep-check.ts';
import { diarisationError } from '../sound/diarisation-error.ts';
import { soundQuality } from '../sound/sound-quality.ts';
import type { ToldSound } from '../synapse/handed-in.ts';
import type { CheckingPorts, ClipJudge } from './checking-ports.ts';
import { isBehindTheEnd, type LookFor, type Unseen } from './look-closely.ts';
import { behindTheEnd, withCut } from './read-again.ts';

/** What was measured of the sound that was listened to, each 0 to 1. */
export interface Measured {
  errorRate: number;
  quality: number;
}

/** Who hears when somebody speaks, and who. */
export type Ears = { [Name in 'voice' | 'speakers']: NonNullable<Listeners[Name]> };

/** @throws QuarryError where there is nothing that hears when somebody speaks, and who */
export function whatListens({ listeners: { voice, speakers }, models }: Pick<ClipJudge, 'listeners' | 'models'>): Ears {
  if (voice && speakers && models.space.includes('+')) return { voice, speakers };
  const [message, hint] = [say('clipValidation.noListeners'), say('clipValidation.noListeners.hint')];
  throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message, hint });
}

/** @returns what was measured; why it is a lie; or why it could not be fetched */
export function listen(
  { look, media }: CheckingPorts,
  { models, thresholds }: ClipJudge,
  { ears, told, topic }: { ears: Ears; told: ToldSound; topic: TextVectors },
  by: LookFor,
): Promise<Measured | Saying | Unseen> {
  return look.at(told, by, async (fetched, within) => {
    if (isBehindTheEnd(told, fetched)) return behindTheEnd(told);
    return withCut(fetched.path, told, media, within, (cut, whole) =>
      hear({ path: cut, whole }, { media, models, thresholds, ears, told, topic }, within),
    );
  });
}

/** A sound that is there as a file. */
interface Heard {
  path: string;
  whole: Span;
}

interface HearingNeeds extends Pick<ClipJudge, 'models' | 'thresholds'> {
  media: Pick<MediaTool, 'sound'>;
  ears: Ears;
  told: ToldSound;
  topic: TextVectors;
}

async function hear(
  { path, whole }: Heard,
  { media, models, thresholds, ears, told, topic }: HearingNeeds,
  within: AbortSignal,
): Promise<Measured | Saying> {
  const sound = await media.sound(path, whole, { rate: SOUND_RATE, signal: within });
  const audio = sound && (await models.sound(sound, within));
  if (!audio) return say('clipValidation.lie.noSound');
  const [claimed, found] = [told.heard, audio].map((heard) => ({ video: heard, audio: null }));
  const words = topic.heard ? [{ seen: topic.heard, heard: null }] : [];
  if (!claimed || !found || deepCheck(claimed, found, thresholds) === 'lie')
    return say('clipValidation.lie.heard', {
      cosine: Number(cosine(told.heard, audio).toFixed(3)),
      least: thresholds.same,
    });
  if (isBent(claimed, found, words, thresholds)) return say('clipValidation.lie.bent');
  return measure(media, ears, { told, path, whole }, within);
}

/** Held against who speaks when as this node finds it (B6). What nobody speaks in is no sound of speech, whoever agrees to that. */
async function measure(
  media: Pick<MediaTool, 'sound'>,
  { voice, speakers }: Ears,
  { told, path, whole }: Heard & { told: ToldSound },
  signal: AbortSignal,
): Promise<Measured | Saying> {
  const speech = await media.sound(path, whole, { rate: SPEECH_RATE, signal });
  if (!speech) return say('clipValidation.lie.noSound');
  const turns = await speakers.turns(speech, signal);
  const spoken = (await voice.spans(speech, signal)).reduce((sum, { from, to }) => sum + to - from, 0);
  const { quality } = soundQuality(speech.samples, speech.rate, turns, spoken);
  return { errorRate: turns.length === 0 ? 1 : disagreement(told.turns, turns), quality };
}

/** The error of each beside the other, whichever is larger: what the reference says of several at once is left out, so a miner that says it of all but a moment would be right about that moment alone. */
const disagreement = (told: readonly SpokenTurn[], found: readonly SpokenTurn[]) =>
  Math.max(diarisationError(told, found).rate, diarisationError(found, told).rate);

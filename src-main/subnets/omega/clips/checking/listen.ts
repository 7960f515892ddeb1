import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import type { Listeners, SpokenTurn, TextVectors } from '../../../../clips/models/clip-models.ts';
import { hearCut, type ReadingTools, speechOfCut } from '../../../../clips/reading/read-cut.ts';
import { diarisationError } from '../sound/diarisation-error.ts';
import { soundQuality } from '../sound/sound-quality.ts';
import type { ToldSound } from '../synapse/handed-in.ts';
import type { CheckingPorts, ClipJudge } from './checking-ports.ts';
import type { LookedAt, LookFor, Unseen } from './look-closely.ts';
import { asCut, lieIn } from './read-again.ts';

/** What was measured of the sound that was listened to, each 0 to 1. */
export interface Measured {
  errorRate: number;
  quality: number;
}

/** Who hears when somebody speaks, and who. */
export type Ears = { [Name in 'voice' | 'speakers']: NonNullable<Listeners[Name]> };

/** @throws QuarryError where there is nothing that hears when somebody speaks, and who */
export function whatListens({ listeners: { voice, speakers }, models }: Pick<ClipJudge, 'listeners' | 'models'>): Ears {
  if (voice && speakers && models.hears) return { voice, speakers };
  const [message, hint] = [say('clipValidation.noListeners'), say('clipValidation.noListeners.hint')];
  throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message, hint });
}

/** What sounds are held to: two of them are alike from another cosine on than two pictures. */
export const soundThresholdsOf = ({ thresholds, soundThresholds }: ClipJudge) => soundThresholds ?? thresholds;

/** @returns what was measured; why it is a lie; or why it could not be fetched */
export function listen(
  { look, media }: CheckingPorts,
  judge: ClipJudge,
  { ears, told, topic }: { ears: Ears; told: ToldSound; topic: TextVectors },
  by: LookFor,
): Promise<LookedAt<Measured | Saying> | Unseen> {
  return look.at(told, by, (fetched, within) => {
    const tools = { media, models: judge.models, signal: within };
    const thresholds = soundThresholdsOf(judge);
    return asCut(told, fetched, tools, (cut) => hear(cut, { tools, thresholds, ears, told, topic }));
  });
}

interface HearingNeeds extends Pick<ClipJudge, 'thresholds'> {
  tools: ReadingTools;
  ears: Ears;
  told: ToldSound;
  topic: TextVectors;
}

/** @param cut a sound that is there as a file */
async function hear(cut: string, { tools, thresholds, ears, told, topic }: HearingNeeds): Promise<Measured | Saying> {
  const [claimed, found] = [
    { seen: null, heard: told.heard },
    { seen: null, heard: await hearCut(cut, tools) },
  ];
  const lie = lieIn(claimed, found, { words: [topic], thresholds });
  return lie ?? (await measure(cut, { tools, ears, told }));
}

/** Held against who speaks when as this node finds it (B6). What nobody speaks in is no sound of speech, whoever agrees to that. */
async function measure(
  cut: string,
  { tools, ears: { voice, speakers }, told }: Pick<HearingNeeds, 'tools' | 'ears' | 'told'>,
): Promise<Measured | Saying> {
  const { signal } = tools;
  const speech = await speechOfCut(cut, tools);
  if (!speech) return say('clipValidation.lie.noSound');
  const turns = await speakers.turns(speech, signal);
  const spoken = (await voice.spans(speech, signal)).reduce((sum, { from, to }) => sum + to - from, 0);
  const { quality } = soundQuality(speech.samples, speech.rate, turns, spoken);
  return { errorRate: turns.length === 0 ? 1 : disagreement(told.turns, turns), quality };
}

/** The error of each beside the other, whichever is larger: what the reference says of several at once is left out, so a miner that says it of all but a moment would be right about that moment alone. */
const disagreement = (told: readonly SpokenTurn[], found: readonly SpokenTurn[]) =>
  Math.max(diarisationError(told, found).rate, diarisationError(found, told).rate);

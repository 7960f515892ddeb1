import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { longestContext } from '../../inference/rope.ts';
import { longestFor, settingsFor, settingsWords } from '../../models/fit/advice.ts';
import type { OpenedExaminee, OwnFit } from './examinees/opened-examinee.ts';

/** Made texts are as long as is wanted to 1 %. */
const TOLERANCE = 1.01;
/** The least that an answer has room for. */
const ANSWER = 64;
/** So many bytes a token, where tokens are only counted roughly, and something for what is around a text. */
const BYTES_A_TOKEN = 4;
const AROUND = 4_096;

/** Tokens that whoever is asked needs room for, for a question of so many. */
export const neededFor = (length: number) => Math.ceil(length * TOLERANCE) + ANSWER;

/**
 * What keeps a question of so many tokens from being asked, and what could be asked instead; undefined where nothing is known to.
 * @param own of a model of this machine
 */
export async function lengthProblem(
  length: number,
  { model, room, mostBytes }: Pick<OpenedExaminee, 'model' | 'room' | 'mostBytes'>,
  own: (() => Promise<OwnFit | undefined>) | undefined,
): Promise<QuarryError | undefined> {
  if (mostBytes !== undefined && length > carriedIn(mostBytes)) {
    const hint = say('evaluations.shorter', { most: carriedIn(mostBytes) });
    return tooLong(say('evaluations.beyondMesh', { length, most: mostBytes }), hint);
  }
  if (room === null || neededFor(length) <= room) return undefined;
  const fit = await own?.();
  if (!fit) return tooLong(say('evaluations.beyondServer', { length, model, room }), shorter(room));
  return await ownProblem(length, { model, room, fit });
}

async function ownProblem(
  length: number,
  { model: name, room, fit }: { model: string; room: number; fit: OwnFit },
): Promise<QuarryError> {
  const needed = neededFor(length);
  const reach = longestContext(fit.model, fit.set.rope);
  const would = await settingsFor(needed, fit);
  const hint = would ? say('evaluations.fitsIfSet', { settings: settingsWords(would, fit.set) }) : await mostOf();
  if (needed > reach) {
    const isScaled = fit.set.rope !== undefined && fit.model.hasRope;
    const why = isScaled ? 'evaluations.beyondScaled' : 'evaluations.beyondModel';
    return tooLong(say(why, { length, model: name, trained: reach }), hint);
  }
  if (would?.kvCache === fit.set.kvCache) return tooLong(say('evaluations.beyondSetting', { length, room }), hint);
  const memory = await fit.memoryFor(needed);
  return tooLong(say('evaluations.beyondMemory', { length, model: name, ...memory }), hint);

  async function mostOf(): Promise<Saying> {
    const most = await longestFor(room, Math.min(needed, reach), fit);
    if (!most || most.contextSize <= room) return shorter(room);
    return say('evaluations.shorterIfSet', {
      most: lengthIn(most.contextSize),
      settings: settingsWords(most, fit.set),
    });
  }
}

/** Tokens of a question that a request of so many bytes has room for. */
const carriedIn = (bytes: number) => Math.floor((bytes - AROUND) / BYTES_A_TOKEN / TOLERANCE);
const lengthIn = (room: number) => Math.max(0, Math.floor((room - ANSWER) / TOLERANCE));
const shorter = (room: number) => say('evaluations.shorter', { most: lengthIn(room) });

const tooLong = (message: Saying, hint: Saying) =>
  new QuarryError({ code: 'CONTEXT_TOO_LONG', message, hint, field: 'lengths' });

/** Context that a node is opened with for one evaluation; undefined where the usual one does. */
export function contextFor(lengths: readonly number[]): number | undefined {
  const needed = neededFor(Math.max(...lengths));
  return needed > DEFAULTS.contextSize ? needed : undefined;
}

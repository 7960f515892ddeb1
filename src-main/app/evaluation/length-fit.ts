import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_REQUEST_BYTES } from '../../../src-preload/contract/limits.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { OpenedExaminee } from './evaluation-desk.ts';

/** What is known of a model of this machine beside how it is loaded now. */
export interface OwnFit {
  /** Tokens that it was made for. */
  trained: number;
  /** Whether it could be loaded with room for so many tokens; bytes that this takes, and that there are for it. */
  memoryFor(tokens: number): Promise<{ fits: boolean; needs: number; has: number }>;
}

/** Made texts are as long as is wanted to 1 %. */
const TOLERANCE = 1.01;
/** The least that an answer has room for. */
const ANSWER = 64;
/** About so many bytes a token, and something for what is around the text. */
const BYTES_A_TOKEN = 4;
const MOST_TOKENS = Math.floor((MAX_REQUEST_BYTES - 4_096) / BYTES_A_TOKEN);
/** A context is made in blocks of so many tokens. */
const BLOCK = 256;

/** Tokens that whoever is asked needs room for, for a question of so many. */
export const neededFor = (length: number) => Math.ceil(length * TOLERANCE) + ANSWER;

/**
 * What keeps a question of so many tokens from being asked, and what could be asked instead; undefined where nothing is known to.
 * @param own of a model of this machine
 */
export async function lengthProblem(
  length: number,
  { model, room }: Pick<OpenedExaminee, 'model' | 'room'>,
  own: (() => Promise<OwnFit | undefined>) | undefined,
): Promise<QuarryError | undefined> {
  if (length > MOST_TOKENS) return tooLong(say('evaluations.beyondRequest', { length }), shorter(MOST_TOKENS));
  if (room === null || neededFor(length) <= room) return undefined;
  const fit = await own?.();
  if (!fit) return tooLong(say('evaluations.beyondServer', { length, model, room }), shorter(room));
  return await ownProblem(length, { model, room, ...fit });
}

async function ownProblem(
  length: number,
  { model, room, trained, memoryFor }: OwnFit & { model: string; room: number },
): Promise<QuarryError> {
  const needed = neededFor(length);
  if (needed > trained) {
    return tooLong(say('evaluations.beyondModel', { length, model, trained }), await mostOf(trained, room, memoryFor));
  }
  const { fits, needs, has } = await memoryFor(needed);
  if (fits)
    return tooLong(say('evaluations.beyondSetting', { length, room }), say('evaluations.setContext', { needed }));
  const message = say('evaluations.beyondMemory', { length, model, needs, has });
  return tooLong(message, await mostOf(needed, room, memoryFor));
}

/** The longest that would fit, between what fits now and what does not. */
async function mostOf(limit: number, room: number, memoryFor: OwnFit['memoryFor']): Promise<Saying> {
  if ((await memoryFor(limit)).fits) return limit > room ? shorterIfSet(limit) : shorter(limit);
  let [low, high] = [room, limit];
  while (high - low > BLOCK) {
    const middle = Math.round((low + high) / 2);
    if ((await memoryFor(middle)).fits) low = middle;
    else high = middle;
  }
  return low > room ? shorterIfSet(low) : shorter(room);
}

const lengthIn = (room: number) => Math.max(0, Math.floor((room - ANSWER) / TOLERANCE));
const shorter = (room: number) => say('evaluations.shorter', { most: lengthIn(room) });
const shorterIfSet = (room: number) => say('evaluations.shorterIfSet', { most: lengthIn(room), room });

const tooLong = (message: Saying, hint: Saying) =>
  new QuarryError({ code: 'CONTEXT_TOO_LONG', message, hint, field: 'lengths' });

/** Context that a node is opened with for one evaluation; undefined where the usual one does. */
export function contextFor(lengths: readonly number[]): number | undefined {
  const needed = neededFor(Math.max(...lengths));
  return needed > DEFAULTS.contextSize ? needed : undefined;
}

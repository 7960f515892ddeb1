import type { Token } from 'node-llama-cpp';
import type { DraftCost } from '../../../../src-preload/contract/drafting.ts';
import type { Batches, Guesser, Piece } from './draft-context.ts';

export interface MeasureDraftCosts {
  model: Batches;
  draft: Batches;
  guesser: Guesser;
  /** Sequences of both contexts: each must be empty, and is afterwards. */
  sequences: number;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Asked between batches: whether to go on. */
  isWanted: () => boolean;
}

/** More at once keep any processor busy, and none that is waits for weights. */
const MOST_TOGETHER = 8;
/** Tokens of one sequence in a batch; what lies between is estimated. */
const BATCHES = [1, 2, 3, 5, 9];
const ROUNDS = 4;
/** A large model on a slow machine takes seconds for a batch: then fewer must do, and what was not come to does not guess. */
const MOST_MS = 15_000;
const LEAST_ROUNDS = 2;
/** Any token: what it says does not matter. */
const TOKEN = 1 as Token;

/**
 * How long guesses take, and batches that hold them, where 1, 2, … sequences decode together: the shortest of some (what else runs only adds
 * time), taken in turns. It ends with the first number of sequences where guesses would not pay even if all were right.
 * @returns none where it was not wanted to its end
 */
export async function measureDraftCosts(options: MeasureDraftCosts): Promise<DraftCost[]> {
  const began = options.now();
  const costs: DraftCost[] = [];
  for (let sequences = 1; sequences <= Math.min(MOST_TOGETHER, options.sequences); sequences++) {
    const cost = await measured(options, sequences, began);
    if (!cost) return [];
    costs.push(cost);
    if (!couldPay(cost) || options.now() - began > MOST_MS) break;
  }
  return costs;
}

async function measured(options: MeasureDraftCosts, sequences: number, began: number): Promise<DraftCost | undefined> {
  const { now, isWanted, model } = options;
  const guesses: number[] = [];
  const batches = BATCHES.map((tokens) => ({ tokens, times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    if (round >= LEAST_ROUNDS && now() - began > MOST_MS) break;
    guesses.push(await guessMs(options, sequences));
    for (const { tokens, times } of batches) {
      if (!isWanted()) return undefined;
      times.push(await batchMs(model, { sequences, tokens, now }));
    }
  }
  return {
    sequences,
    guessMs: Math.min(...guesses),
    batches: batches.map(({ tokens, times }) => ({ tokens, ms: Math.min(...times) })),
  };
}

/** One round with guesses that are all right, against as many tokens one after the other. */
function couldPay({ guessMs, batches }: DraftCost): boolean {
  const alone = batches[0]?.ms ?? 0;
  return batches.some(({ tokens, ms }) => tokens > 1 && ms + (tokens - 1) * guessMs < tokens * alone);
}

async function batchMs(
  addon: Batches,
  { sequences, tokens, now }: { sequences: number; tokens: number; now: () => number },
): Promise<number> {
  const items = itemsOf(sequences, tokens);
  const began = now();
  await addon.decode(items).done;
  const took = now() - began;
  for (const { sequence } of items) addon.clear(sequence);
  return took;
}

async function guessMs({ draft, guesser, now }: MeasureDraftCosts, sequences: number): Promise<number> {
  const items = itemsOf(sequences, 1);
  const began = now();
  const { logits, done } = draft.decode(items);
  const guesses = logits.map(([index = -1]) => guesser.guess(index));
  await Promise.all([...guesses, done]);
  const took = now() - began;
  for (const { sequence } of items) draft.clear(sequence);
  return took;
}

function itemsOf(sequences: number, tokens: number): Piece[] {
  return Array.from({ length: sequences }, (_, sequence) => ({
    ...{ sequence, position: 0, tokens: Array.from({ length: tokens }, () => TOKEN) },
    logits: Array.from({ length: tokens }, (_each, index) => index),
  }));
}

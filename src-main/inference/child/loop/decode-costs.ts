import type { Token } from 'node-llama-cpp';
import type { DecodeCost } from '../../../../src-preload/contract/decode-cost.ts';
import { measuredGroups } from '../../measured-groups.ts';
import type { Addon, BatchItem } from './addon.ts';

export interface MeasureDecodeCosts {
  addon: Pick<Addon, 'decode' | 'clear'>;
  /** Sequences of the context: each must be empty, and is afterwards. */
  sequences: number;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Asked between batches: whether to go on. */
  isWanted: () => boolean;
}

const ROUNDS = 7;
/** A large model on a slow machine takes seconds for a round: then fewer must do. */
const MOST_MS = 5_000;
const LEAST_ROUNDS = 2;
/** Any token: what it says does not matter. */
const TOKEN = 1 as Token;

/**
 * How long batches take that hold one token each of 1, 2, … sequences: the shortest of up to 7 (what else runs only adds time), taken in turns so that a
 * machine that slows down does so for all.
 * @returns none where it was not wanted to its end
 */
export async function measureDecodeCosts(options: MeasureDecodeCosts): Promise<DecodeCost[]> {
  const { sequences, now, isWanted } = options;
  const groups = measuredGroups(sequences);
  const times = groups.map((): number[] => []);
  const began = now();
  for (let round = 0; round < ROUNDS; round++) {
    if (round >= LEAST_ROUNDS && now() - began > MOST_MS) break;
    for (const [index, group] of groups.entries()) {
      if (!isWanted()) return [];
      times[index]?.push(await decodeTogether(options, group));
    }
  }
  return groups.map((group, index) => ({ sequences: group, ms: Math.min(...(times[index] ?? [])) }));
}

async function decodeTogether({ addon, now }: MeasureDecodeCosts, group: number): Promise<number> {
  const items = Array.from(
    { length: group },
    (_, sequence): BatchItem => ({ sequence, position: 0, tokens: [TOKEN], logits: [0] }),
  );
  const began = now();
  await addon.decode(items).done;
  const took = now() - began;
  for (const { sequence } of items) addon.clear(sequence);
  return took;
}

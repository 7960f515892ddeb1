import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { ChainReader } from './chain-reader.ts';
import { bigNumber, nonsense, number } from './shapes.ts';
import { QUICKNET } from './timelock.ts';

/** Seconds between two blocks. A chain of its own may be faster. */
const BLOCK_S = 12;
/** Blocks after the first one of the epoch in which the round has come for sure: as the SDK. */
const LATER_BLOCKS = 3;
/** The runtime from which on epochs follow from what happened before. */
const STATEFUL_EPOCHS = 423;

/** When weights that are committed now open (Bittensor §3.3). */
export interface RevealTimes {
  /** The block that is read. */
  block: number;
  netuid: number;
  /** Blocks. */
  tempo: number;
  /** Epochs. */
  period: number;
  /** First block of the next epoch, where the runtime tells it: 423 and later. Undefined: epochs follow from the block alone. */
  nextEpoch: number | undefined;
}

/** The first block of the epoch in which the chain opens what is committed at a block. */
export function firstRevealBlock({ block, netuid, tempo, period, nextEpoch }: RevealTimes): number {
  if (nextEpoch !== undefined) return nextEpoch + (period - 1) * tempo;
  const epoch = Math.floor((block + netuid + 1) / (tempo + 1));
  return (epoch + period) * (tempo + 1) - (netuid + 1);
}

/** The round of drand that has come by then. @param nowS Unix seconds of the block that is read */
export function revealRound(times: RevealTimes, nowS: number, blockS = BLOCK_S): number {
  const inS = (firstRevealBlock(times) + LATER_BLOCKS - times.block) * blockS;
  return Math.max(1, Math.floor((nowS + inS - QUICKNET.genesis) / QUICKNET.periodS));
}

/**
 * The round to which weights of a subnet are to be locked, and the version that the chain wants.
 * @param blockS seconds between two blocks. Default 12
 * @throws CHAIN_REFUSED for a runtime that opens no locked weights
 */
export async function readRevealRound(
  reader: ChainReader,
  netuid: number,
  blockS = BLOCK_S,
): Promise<{ round: number; version: number }> {
  const one = (item: string, ...args: unknown[]) => reader.one(number, 'subtensorModule', item, ...args);
  const version = await one('commitRevealWeightsVersion');
  const stored = await reader.one(number, 'drand', 'lastStoredRound');
  const [tempo, period] = [await one('tempo', netuid), await one('revealPeriodEpochs', netuid)];
  if (version === undefined || stored === undefined || tempo === undefined || period === undefined) {
    throw new QuarryError({ code: 'CHAIN_REFUSED', message: say('bittensor.chain.refused.commitVersion') });
  }
  const nextEpoch = await askNextEpoch(reader, netuid);
  if (isStateful(reader) && nextEpoch === undefined)
    throw nonsense('a runtime that does not tell when its epochs begin');
  const block = (await reader.one(number, 'system', 'number')) ?? 0;
  const madeAt = (await reader.one(bigNumber, 'timestamp', 'now')) ?? 0n;
  const round = revealRound({ block, netuid, tempo, period, nextEpoch }, Number(madeAt) / 1_000, blockS);
  // An earlier one has opened already, and the chain refuses it.
  return { round: Math.max(round, stored + 1), version };
}

/** The first block of a subnet's next epoch; undefined where it cannot be told, and on the root, which has none. */
export async function readNextEpoch(
  reader: ChainReader,
  netuid: number,
  { block, tempo }: { block: number; tempo: number },
): Promise<number | undefined> {
  if (netuid === 0 || tempo === 0) return undefined;
  if (isStateful(reader)) return askNextEpoch(reader, netuid);
  return firstRevealBlock({ block, netuid, tempo, period: 1, nextEpoch: undefined });
}

const isStateful = ({ runtime }: ChainReader) => runtime.version.specVersion >= STATEFUL_EPOCHS;

const askNextEpoch = (reader: ChainReader, netuid: number) =>
  reader.api(number, 'SubnetInfoRuntimeApi', 'get_next_epoch_start_block', netuid);

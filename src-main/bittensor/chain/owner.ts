import { addressOf } from '../address.ts';
import type { ChainReader } from './chain-reader.ts';
import { address, bigNumber } from './shapes.ts';

/** What the chain says of a hotkey that it does not know: a key of zeros, which is nobody’s. */
const NOBODY = addressOf(new Uint8Array(32));

/** The coldkey (ss58) that a hotkey belongs to; undefined where it was never registered. */
export async function readOwner(reader: ChainReader, hotkey: string): Promise<string | undefined> {
  const owner = await reader.one(address, 'subtensorModule', 'owner', hotkey);
  return owner === NOBODY ? undefined : owner;
}

/** Rao that a subnet gets in a block; undefined where the runtime does not say. */
export function readTaoIn(reader: ChainReader, netuid: number): Promise<bigint | undefined> {
  return reader.one(bigNumber, 'subtensorModule', 'subnetTaoInEmission', netuid);
}

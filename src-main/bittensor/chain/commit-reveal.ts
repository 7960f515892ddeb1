import { randomBytes } from 'node:crypto';
import { blake2AsU8a } from '@polkadot/util-crypto/blake2/asU8a';
import { publicKeyOf } from '../address.ts';
import { littleEndian, u16Vector } from './scale.ts';
import type { ChainWeights } from './weights.ts';

/** How many netuids there are before the next mechanism's begin: a storage index is `mechanism * 4096 + netuid`. */
const NETUIDS = 4_096;
/** As many as the SDK draws. */
const SALT_NUMBERS = 8;

/** What a validator commits to, and has to say again word for word when it reveals. */
export interface CommittedWeights extends ChainWeights {
  /** ss58 of the hotkey. */
  hotkey: string;
  netuid: number;
  /** Mechanism of the subnet. Default 0. */
  mechanism?: number;
  /** u16 each. */
  salt: readonly number[];
  versionKey: bigint;
}

/** Where the chain keeps weights and commits of a subnet's mechanism (Bittensor §3). */
export function storageIndex(netuid: number, mechanism = 0): number {
  return mechanism * NETUIDS + netuid;
}

/** Eight numbers that nobody can guess: without them, a commit's weights could be tried out. */
export function newSalt(): number[] {
  const bytes = randomBytes(SALT_NUMBERS * 2);
  return Array.from({ length: SALT_NUMBERS }, (_, at) => bytes.readUInt16LE(at * 2));
}

/** The hash of commit-reveal v2, 32 bytes (Bittensor §3.3). */
export function commitHash(committed: CommittedWeights): Uint8Array {
  const { hotkey, netuid, mechanism, uids, values, salt, versionKey } = committed;
  const vectors = [uids, values, salt].map(u16Vector);
  const index = littleEndian(storageIndex(netuid, mechanism), 2);
  return blake2AsU8a(Buffer.concat([publicKeyOf(hotkey), index, ...vectors, littleEndian(versionKey, 8)]), 256);
}

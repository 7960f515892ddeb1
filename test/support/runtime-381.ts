import { readFileSync } from 'node:fs';
import { ChainReader } from '../../src-main/bittensor/chain/chain-reader.ts';
import { Runtime } from '../../src-main/bittensor/chain/runtime.ts';
import { hexOf } from '../../src-main/bittensor/hex.ts';
import { findVector } from './vectors.ts';

const VERSION = { specVersion: 381, transactionVersion: 1 };
const file = findVector('subtensor-381-metadata.scale');

/** The real runtime 381; undefined, loudly, where its metadata is not. */
export const RUNTIME_381 = file ? new Runtime(hexOf(readFileSync(file)), VERSION) : undefined;

/** The same with two of the terms that are signed with a call in each other's place, as a lying endpoint would have it. */
export function withSwappedTerms(one: string, other: string): Runtime {
  const metadata = readFileSync(file ?? '');
  const terms = (RUNTIME_381 as Runtime).registry.signedExtensions;
  const begin = (term = '') => metadata.lastIndexOf(Buffer.concat([Buffer.of(term.length << 2), Buffer.from(term)]));
  const placeOf = (term: string) => ({ from: begin(term), to: begin(terms[terms.indexOf(term) + 1]) });
  const [first, second] = [placeOf(one), placeOf(other)];
  const parts = [
    metadata.subarray(0, first.from),
    metadata.subarray(second.from, second.to),
    metadata.subarray(first.to, second.from),
    metadata.subarray(first.from, first.to),
    metadata.subarray(second.to),
  ];
  return new Runtime(hexOf(Buffer.concat(parts)), VERSION);
}

export type Answers = Record<string, (params: readonly unknown[]) => unknown>;

/** Reads a block of a chain with that runtime from answers, by method. */
export function readerOf(answers: Answers, runtime = RUNTIME_381 as Runtime): ChainReader {
  return new ChainReader(rpcOf(answers), runtime, `0x${'cd'.repeat(32)}`);
}

export function rpcOf(answers: Answers) {
  return {
    request: async (method: string, params: readonly unknown[] = []) => {
      const answer = answers[method];
      if (!answer) throw new Error(`nobody asks for ${method}`);
      return answer(params);
    },
  };
}

/** Storage, by key; all else is not stored. */
export function stored(entries: readonly (readonly [key: string | undefined, value: string])[]): Answers {
  const values = new Map(entries);
  return {
    state_queryStorageAt: ([keys]) => [{ changes: (keys as string[]).map((key) => [key, values.get(key) ?? null]) }],
  };
}

/** SCALE bytes of a value. @param type as polkadot.js names it */
export function encoded(type: string, value: unknown): string {
  return hexOf((RUNTIME_381 as Runtime).registry.createTypeUnsafe(type, [value]).toU8a());
}

/** What happened in a block, by the extrinsic that did it. */
export type Happening = [
  extrinsic: number,
  kind: 'success' | 'failed' | 'transfer' | 'staked' | 'unstaked',
  ...rest: unknown[],
];

/** The same as `System.Events` has it. A failure is the error of a pallet: its number there. */
export function eventsOf(happenings: readonly Happening[]): string {
  const { registry } = RUNTIME_381 as Runtime;
  const indexOf = { success: [0, 0], failed: [0, 1], transfer: [5, 2], staked: [7, 2], unstaked: [7, 3] };
  const records = happenings.map(([extrinsic, kind, ...rest]) => {
    const info = { weight: { refTime: 1, proofSize: 1 }, class: 'Normal', paysFee: 'Yes' };
    const stake = () =>
      ['AccountId32', 'AccountId32', 'u64', 'u64', 'u16', 'u64'].map((type, at) =>
        registry.createTypeUnsafe(type, [rest[at] ?? 0]),
      );
    const types = {
      staked: stake,
      unstaked: stake,
      success: () => [registry.createTypeUnsafe('FrameSystemDispatchEventInfo', [info])],
      failed: () => [
        registry.createTypeUnsafe('SpRuntimeDispatchError', [{ Module: { index: 7, error: [rest[0], 0, 0, 0] } }]),
        registry.createTypeUnsafe('FrameSystemDispatchEventInfo', [info]),
      ],
      transfer: () => [
        registry.createTypeUnsafe('AccountId32', [rest[0]]),
        registry.createTypeUnsafe('AccountId32', [rest[1]]),
        registry.createTypeUnsafe('u64', [rest[2]]),
      ],
    };
    const phase = registry.createTypeUnsafe('Phase', [{ ApplyExtrinsic: extrinsic }]).toU8a();
    return Buffer.concat([phase, Buffer.from(indexOf[kind]), ...types[kind]().map((one) => one.toU8a()), Buffer.of(0)]);
  });
  return `0x${Buffer.concat([Buffer.of(records.length << 2), ...records]).toString('hex')}`;
}

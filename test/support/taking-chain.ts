import { readFileSync } from 'node:fs';
import { hexOf } from '../../src-main/bittensor/hex.ts';
import { eventsOf, type Happening, RUNTIME_381 } from './runtime-381.ts';
import { BLOCK_HASH, GENESIS, Refused, ScriptedChain, u64 } from './scripted-chain.ts';
import { findVector } from './vectors.ts';

const DONE = '0x0000';
/** Hash of a block of it. */
export const hashOf = (block: number) => `0x${block.toString(16).padStart(64, '0')}`;

/** A chain with runtime 381 that takes what is handed in, and has it in the blocks that the test makes. */
export class TakingChain extends ScriptedChain {
  readonly pool: string[] = [];
  /** What it was given to try out, without handing it in. */
  readonly tried: string[] = [];
  readonly blocks = new Map<number, string[]>();
  /** What is stored, by key; all else is not. */
  readonly storage = new Map<string, string>();
  /** What functions of the runtime answer, by name; also by their arguments, `0x…`. */
  readonly told = new Map<string, string | ((data: string) => string)>();
  happenings: Happening[] = [[0, 'success']];
  applied = DONE;
  fee = 1_234;

  constructor() {
    super();
    Object.assign(this.answers, {
      state_getMetadata: () => hexOf(readFileSync(findVector('subtensor-381-metadata.scale') ?? '')),
      chain_getBlockHash: ([block]: unknown[]) =>
        block === 0 ? GENESIS : block === undefined ? BLOCK_HASH : hashOf(Number(block)),
      chain_getBlock: ([hash]: unknown[]) => ({
        block: {
          header: { number: `0x${Number(hash).toString(16)}` },
          extrinsics: this.blocks.get(Number(hash)) ?? [],
        },
      }),
      system_accountNextIndex: () => this.pool.length,
      author_submitExtrinsic: ([extrinsic]: unknown[]) => this.pool.push(String(extrinsic)) && BLOCK_HASH,
      state_queryStorageAt: ([keys]: unknown[]) => [
        { changes: (keys as string[]).map((key) => [key, this.#stored(key)]) },
      ],
      state_getStorage: () => eventsOf(this.happenings),
      state_call: ([name, data]: unknown[]) => this.#told(String(name), String(data)),
    });
  }

  #told(name: string, data: string): string {
    if (name === 'BlockBuilder_apply_extrinsic') {
      this.tried.push(data);
      return this.applied;
    }
    if (name === 'TransactionPaymentApi_query_info') return `0x000000${u64(this.fee).slice(2)}`;
    const answer = this.told.get(name);
    if (answer !== undefined) return typeof answer === 'function' ? answer(data) : answer;
    throw new Refused(-32_000, 'Function not found');
  }

  #stored(key: string): string | null {
    if (key === RUNTIME_381?.slot('timestamp', 'now')?.key) return u64(this.madeAt);
    return this.storage.get(key) ?? null;
  }

  /** Makes a block, which nothing can undo any more. */
  make(extrinsics: string[] = []): void {
    this.blocks.set(this.finalised + 1, extrinsics);
    this.finalise(this.finalised + 1);
  }
}

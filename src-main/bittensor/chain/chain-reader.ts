import { z } from 'zod';
import type { RpcSocket } from './rpc-socket.ts';
import type { ChainEvent, Runtime } from './runtime.ts';
import { bytes, hash, nonsense, shaped } from './shapes.ts';

/** Keys of one request: answers stay far below what one message may have. */
const KEYS_AT_ONCE = 512;

const CHANGES = z
  .array(z.object({ changes: z.array(z.tuple([bytes, bytes.nullable()])).max(2 * KEYS_AT_ONCE) }))
  .max(8);

const KEYS = z.array(bytes).max(KEYS_AT_ONCE);

/** One item of storage: pallet, item, and what it is kept by. */
export type Item = readonly [pallet: string, item: string, ...args: unknown[]];

/** Reads one block, whatever the chain does meanwhile. All of it may throw DEADLINE, CHAIN_UNREACHABLE, PROTOCOL and RpcRefusal. */
export class ChainReader {
  readonly runtime: Runtime;
  /** Hash of the block, `0x…`. */
  readonly block: string;
  readonly #rpc: Pick<RpcSocket, 'request'>;

  constructor(rpc: Pick<RpcSocket, 'request'>, runtime: Runtime, block: string) {
    this.#rpc = rpc;
    this.runtime = runtime;
    this.block = block;
  }

  /**
   * What is stored, in the order in which it was asked for.
   * @returns undefined for what this runtime does not keep, and where nothing is stored of what has no default
   */
  async many<T>(shape: z.ZodType<T>, items: readonly Item[]): Promise<(T | undefined)[]> {
    const slots = items.map((item) => this.runtime.slot(...item));
    const keys = slots.flatMap((slot) => slot?.key ?? []);
    const stored = new Map<string, string | null>();
    for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
      const asked = keys.slice(at, at + KEYS_AT_ONCE);
      const answer = shaped(CHANGES, await this.#rpc.request('state_queryStorageAt', [asked, this.block]));
      for (const [key, value] of answer.flatMap(({ changes }) => changes)) stored.set(key, value);
    }
    return slots.map((slot) => {
      if (!slot) return undefined;
      const value = stored.get(slot.key);
      if (value === undefined) throw nonsense('a key was left out');
      const read = slot.read(value);
      return read === null ? undefined : shaped(shape, read);
    });
  }

  /** One item; see {@link many}. */
  async one<T>(shape: z.ZodType<T>, ...item: Item): Promise<T | undefined> {
    const [value] = await this.many(shape, [item]);
    return value;
  }

  /**
   * By what else an item is kept, of which the first thing is known.
   * @returns the rest of each key, in hexadecimal digits; none where this runtime does not keep it
   */
  async keys(pallet: string, item: string, first: unknown): Promise<string[]> {
    const begin = this.runtime.keysOf(pallet, item, first);
    if (begin === undefined) return [];
    const asked = [begin, KEYS_AT_ONCE, null, this.block];
    const keys = shaped(KEYS, await this.#rpc.request('state_getKeysPaged', asked));
    if (!keys.every((key) => key.startsWith(begin))) throw nonsense('a key of something else');
    return keys.map((key) => key.slice(begin.length));
  }

  /**
   * Asks the runtime itself.
   * @param trait as `SwapRuntimeApi`
   * @param method as `current_alpha_price`
   * @returns undefined where this runtime has no such function, and where it answers with nothing
   */
  async api<T>(shape: z.ZodType<T>, trait: string, method: string, ...args: unknown[]): Promise<T | undefined> {
    const call = this.runtime.api(trait, method, ...args);
    if (!call) return undefined;
    const read = call.read(await this.raw(call.name, call.data));
    return read === null ? undefined : shaped(shape, read);
  }

  /** The same in bytes, `0x…`: for what polkadot.js knows better than the metadata does. */
  async raw(name: string, data: string): Promise<string> {
    return shaped(bytes, await this.#rpc.request('state_call', [name, data, this.block]));
  }

  /** What happened in the block, in order. */
  async events(): Promise<ChainEvent[]> {
    const key = this.runtime.slot('system', 'events')?.key;
    return this.runtime.events(shaped(bytes, await this.#rpc.request('state_getStorage', [key, this.block])));
  }
}

const MOST_EXTRINSICS = 20_000;
const BLOCK = z.object({
  block: z.object({
    header: z.object({
      number: z
        .string()
        .regex(/^0x[0-9a-f]{1,8}$/)
        .transform(Number),
    }),
    extrinsics: z.array(bytes).max(MOST_EXTRINSICS),
  }),
});

/** A block as it was made: what came in, each `0x…`. */
export interface Block {
  hash: string;
  extrinsics: string[];
}

/** A block by its number. Ask for none that may still be undone. @throws PROTOCOL for one with another number */
export async function blockOf(rpc: Pick<RpcSocket, 'request'>, at: number): Promise<Block> {
  const blockHash = shaped(hash, await rpc.request('chain_getBlockHash', [at]));
  const { block } = shaped(BLOCK, await rpc.request('chain_getBlock', [blockHash]));
  if (block.header.number !== at) throw nonsense('another block than the one that was asked for');
  return { hash: blockHash, extrinsics: block.extrinsics };
}

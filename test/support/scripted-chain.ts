import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { TypeRegistry } from '@polkadot/types';
import { type WebSocket, WebSocketServer } from 'ws';
import { hexOf } from '../../src-main/bittensor/hex.ts';

/** Finney's, so that a connection to finney is content with it. */
export const GENESIS = '0x2f0555cc76fc2840a25a6ea3b9637146806f1f44b090c175ffde2a7e5ab36c03';
export const BLOCK_HASH = `0x${'ab'.repeat(32)}`;

/** Answers as many as it is told to; throws `new Refused(…)` as nodes refuse, and never answers with {@link SILENCE}. */
type Answers = Record<string, (params: unknown[]) => unknown>;

export const SILENCE = Symbol('silence');

export class Refused extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A node of a chain that has a clock and numbered blocks, and nothing else; whatever it says can be put in another way. */
export class ScriptedChain {
  /** By method. What is not here is a method that it does not know. */
  readonly answers: Answers;
  readonly asked: string[] = [];
  /** When its newest block was made, Unix milliseconds. */
  madeAt = Date.now();
  finalised = 5;
  /** How many connections there have been. */
  connections = 0;
  readonly #server = new WebSocketServer({ host: '127.0.0.1', port: 0 });

  constructor() {
    const header = () => ({ number: hexOf(Uint8Array.of(this.finalised)), parentHash: BLOCK_HASH });
    this.answers = {
      chain_getBlockHash: ([block]) => (block === 0 ? GENESIS : BLOCK_HASH),
      chain_getFinalizedHead: () => BLOCK_HASH,
      chain_getHeader: header,
      chain_subscribeFinalizedHeads: () => 'heads',
      state_getRuntimeVersion: () => ({ specVersion: 381, transactionVersion: 1 }),
      state_subscribeRuntimeVersion: () => 'versions',
      state_getMetadata: () => clockMetadata(),
      state_queryStorageAt: ([keys]) => [{ changes: (keys as string[]).map((key) => [key, u64(this.madeAt)]) }],
    };
    this.#server.on('connection', (socket) => {
      this.connections++;
      socket.on('message', (message) => this.#heard(socket, String(message)));
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(): Promise<this> {
    if (!this.#server.address()) await once(this.#server, 'listening');
    return this;
  }

  /** Sends a text, whatever it is, to all who are connected. */
  say(text: string): void {
    for (const socket of this.#server.clients) socket.send(text);
  }

  /** Tells of a finalised block. */
  finalise(block: number): void {
    this.finalised = block;
    const result = { number: hexOf(Uint8Array.of(block)), parentHash: BLOCK_HASH };
    this.say(JSON.stringify({ jsonrpc: '2.0', method: 'heads', params: { subscription: 'heads', result } }));
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  async close(): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #heard(socket: WebSocket, message: string): void {
    const { id, method, params } = JSON.parse(message);
    this.asked.push(method);
    const answer = this.#answer(method, params);
    if (answer !== SILENCE) socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...(answer as object) }));
  }

  #answer(method: string, params: unknown[]): unknown {
    try {
      const answer = this.answers[method];
      if (!answer) throw new Refused(-32_601, 'Method not found');
      const result = answer(params);
      return result === SILENCE ? SILENCE : { result };
    } catch (error) {
      const { code = -32_000, message, data } = error as Refused;
      return { error: { code, message, data } };
    }
  }
}

/** A u64 as storage has it. */
export function u64(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return hexOf(bytes);
}

/** Metadata of a chain with a clock: version 14, the first of those that describe themselves. */
function clockMetadata(): string {
  const registry = new TypeRegistry();
  const primitives = ['U8', 'U16', 'U32', 'U64'];
  const types = primitives.map((Primitive, id) => ({ id, type: { def: { Primitive } } }));
  const sequence = { id: 4, type: { def: { Sequence: { type: 0 } } } };
  const array = { id: 5, type: { def: { Array: { len: 32, type: 0 } } } };
  const item = (name: string, Plain: number, fallback: string) => ({
    name,
    modifier: 'Default',
    type: { Plain },
    fallback,
  });
  const pallet = (name: string, index: number, items: unknown[]) => ({ name, index, storage: { prefix: name, items } });
  const pallets = [
    pallet('System', 0, [item('Number', 2, '0x00000000'), item('Events', 4, '0x00')]),
    pallet('Timestamp', 2, [item('Now', 3, u64(0))]),
  ];
  const lookup = { types: [...types, sequence, array] };
  const metadata = registry.createTypeUnsafe('MetadataV14', [
    { lookup, pallets, extrinsic: { type: 0, version: 4 }, type: 0 },
  ]);
  return `0x6d6574610e${Buffer.from(metadata.toU8a()).toString('hex')}`;
}

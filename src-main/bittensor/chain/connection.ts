import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ChainNetwork } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import { backOffMs } from '../../base/back-off.ts';
import { Changes } from '../../base/changes.ts';
import { ignoring } from '../../base/swallowed.ts';
import { TokenBucket } from '../../base/token-bucket.ts';
import { Turns } from '../../base/turns.ts';
import { ChainReader } from './chain-reader.ts';
import { ofOldBlock } from './forgotten.ts';
import type { Network } from './networks.ts';
import { type RpcLimits, RpcSocket } from './rpc-socket.ts';
import { metadataOf, Runtime, type RuntimeVersion } from './runtime.ts';
import { bigNumber, hash, header, nonsense, number, shaped } from './shapes.ts';

/** How the connection stands, for a person. */
export interface ChainState {
  network: ChainNetwork;
  /** Where it is, or was tried last. */
  endpoint: string;
  /** `behind`: the endpoint answers, but its newest block is old. `lost`: tried again at {@link retryAt}. */
  status: 'connecting' | 'connected' | 'behind' | 'lost' | 'closed';
  /** Of the runtime, while connected. */
  specVersion?: number;
  /** Newest block, and newest that nothing can undo, while connected. */
  block?: number;
  finalised?: number;
  /** Why it is lost. */
  reason?: Words;
  /** Unix milliseconds. */
  retryAt?: number;
}

export interface ConnectionOptions {
  network: Network;
  log: Logger;
  /** Default: those of {@link RpcSocket}. */
  limits?: RpcLimits;
  /** Milliseconds between two looks at whether the endpoint is alive. Default 12,000: a block. */
  lookMs?: number;
  /** Milliseconds that whoever needs the chain waits for a connection under way. Default 30,000. */
  patienceMs?: number;
  /** Milliseconds before the first further try when no endpoint was reached. Default 1,000, doubled up to a minute. */
  firstWaitMs?: number;
  /** Unix milliseconds. Default `Date.now`. */
  now?: () => number;
}

/** An endpoint that has shown what it is. */
export interface Session {
  rpc: RpcSocket;
  /** Of the newest block. */
  runtime: Runtime;
  /** `0x…` */
  genesis: string;
}

/** Five blocks: an endpoint whose newest one is older stands still, or is still catching up. */
const OLD_MS = 60_000;
const LONGEST_WAIT_MS = 60_000;
const MOST_RUNTIMES = 8;
/** Runtimes that are read: a chain has another one every few weeks, and reading old blocks wants some of the older ones. */
const LOADS = { perMinute: 2, burst: 16 };

/** What reads a block. */
type Asked = Pick<RpcSocket, 'request' | 'end'>;

const VERSION = z.object({ specVersion: number, transactionVersion: number });

/**
 * Keeps one connection to a chain: takes the next endpoint when one is not there, hangs, lies or stands still, and waits longer from
 * round to round. An endpoint of another chain is left at once.
 */
export class ChainConnection {
  /** Told of every other {@link state}. */
  readonly changes = new Changes();
  readonly #options: ConnectionOptions;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  readonly #runtimes = new Map<number, Runtime>();
  #state: ChainState;
  #session: Session | undefined;
  #running: Promise<void> | undefined;
  /** One after the other: each keeps the main thread for a second. */
  readonly #loading = new Turns();
  readonly #loads: TokenBucket;
  /** Endpoints in a row that were left because they were behind. */
  #leftBehind = 0;

  constructor(options: ConnectionOptions) {
    const { network, now = Date.now } = options;
    this.#options = options;
    this.#now = now;
    this.#loads = new TokenBucket(LOADS.perMinute / 60, LOADS.burst, now());
    this.#state = { network: network.name, endpoint: network.endpoints[0] ?? '', status: 'connecting' };
  }

  get state(): ChainState {
    return this.#state;
  }

  /** Begins to connect; does not wait for it. Idempotent. */
  open(): void {
    this.#running ??= this.#run();
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#set({ status: 'closed' });
  }

  /** @throws CHAIN_UNREACHABLE when there is none, and none comes in time */
  async session(): Promise<Session> {
    const until = this.#now() + (this.#options.patienceMs ?? 30_000);
    while (!this.#session) {
      const { count } = this.changes;
      const left = until - this.#now();
      const hopeless = this.#state.status !== 'connecting' || this.#closing.signal.aborted;
      if (hopeless || left <= 0) throw this.#unreachable();
      await this.changes.after(count, this.#closing.signal, left);
    }
    return this.#session;
  }

  /** Reads a block. @param block its hash. Default: the newest @throws Forgotten for one that the endpoint does not keep any more */
  async at(block?: string): Promise<ChainReader> {
    const { rpc, runtime } = await this.session();
    if (block) {
      const old = ofOldBlock(rpc);
      return new ChainReader(old, await this.#runtimeAt(old, block), block);
    }
    return new ChainReader(rpc, runtime, shaped(hash, await rpc.request('chain_getBlockHash')));
  }

  async #run(): Promise<void> {
    const { network, log, firstWaitMs = 1_000 } = this.#options;
    for (let turn = 0, failures = 0; !this.#closing.signal.aborted; turn++) {
      const endpoint = network.endpoints[turn % network.endpoints.length] ?? '';
      this.#set({ endpoint, status: 'connecting' });
      const worked = () => {
        failures = 0;
      };
      const error = QuarryError.from(await this.#serve(endpoint, worked).catch((why) => why));
      this.#session = undefined;
      if (this.#closing.signal.aborted) return;
      failures++;
      log.warn({ err: error, endpoint }, 'chain endpoint lost');
      // The next endpoint is tried at once; after all of them, it is waited.
      if (failures % network.endpoints.length > 0) continue;
      const waitMs = backOffMs(failures / network.endpoints.length, {
        firstMs: firstWaitMs,
        longestMs: LONGEST_WAIT_MS,
      });
      this.#set({ endpoint, status: 'lost', reason: wordsOf(error, 'message'), retryAt: this.#now() + waitMs });
      await sleep(waitMs, undefined, { signal: this.#closing.signal }).catch(ignoring('it is closed'));
    }
  }

  /**
   * Connects to an endpoint and looks after it.
   * @param worked told when it has lasted from one look to the next: who goes away at once is as good as not there
   * @returns, or throws, why that ended
   */
  async #serve(endpoint: string, worked: () => void): Promise<QuarryError> {
    const rpc = await RpcSocket.open(endpoint, this.#options.limits, this.#closing.signal);
    try {
      const genesis = await this.#checkedGenesis(rpc);
      const runtime = await this.#follow(rpc);
      this.#session = { rpc, runtime, genesis };
      for (;;) {
        const late = await this.#look(rpc);
        if (late && this.#mayLeave()) return this.#behind();
        if (!late) this.#leftBehind = 0;
        this.#set({ ...this.#state, status: late ? 'behind' : 'connected' });
        await ended(rpc, this.#options.lookMs ?? 12_000);
        if (rpc.end) return rpc.end;
        worked();
      }
    } finally {
      rpc.close();
    }
  }

  /** @throws CHAIN_UNREACHABLE for another chain than the one that is wanted */
  async #checkedGenesis(rpc: RpcSocket): Promise<string> {
    const { name, genesis: wanted } = this.#options.network;
    const genesis = shaped(hash, await rpc.request('chain_getBlockHash', [0]));
    if (wanted !== undefined && genesis !== wanted) {
      throw new QuarryError({
        code: 'CHAIN_UNREACHABLE',
        message: say('bittensor.chain.otherNetwork', { network: name }),
        hint: say('bittensor.chain.otherEndpoint'),
      });
    }
    return genesis;
  }

  /** Hears of blocks and of new runtimes from now on. @returns the runtime of now */
  async #follow(rpc: RpcSocket): Promise<Runtime> {
    this.#runtimes.clear(); // of the endpoint before, which may have lied
    const version = shaped(VERSION, await rpc.request('state_getRuntimeVersion'));
    const runtime = await this.#load(rpc, version);
    await rpc.follow('chain_subscribeFinalizedHeads', (news) => this.#heard(rpc, () => this.#finalised(news)));
    await rpc.follow('state_subscribeRuntimeVersion', (news) => this.#heard(rpc, () => this.#upgraded(rpc, news)));
    const head = shaped(hash, await rpc.request('chain_getFinalizedHead'));
    this.#finalised(await rpc.request('chain_getHeader', [head]));
    return runtime;
  }

  #heard(rpc: RpcSocket, take: () => Promise<void> | void): void {
    const failed = (error: unknown) => {
      this.#options.log.warn({ err: error }, 'chain endpoint says what it should not');
      rpc.close();
    };
    Promise.try(take).catch(failed);
  }

  #finalised(news: unknown): void {
    const { number: block } = shaped(header, news);
    // It cannot go back: what would, tells of another connection.
    if (block > (this.#state.finalised ?? -1)) this.#set({ ...this.#state, finalised: block });
  }

  async #upgraded(rpc: RpcSocket, news: unknown): Promise<void> {
    const version = shaped(VERSION, news);
    if (!this.#session || this.#session.runtime.version.specVersion === version.specVersion) return;
    const runtime = await this.#load(rpc, version);
    if (this.#session?.rpc !== rpc) return;
    this.#session = { ...this.#session, runtime };
    this.#set({ ...this.#state, specVersion: version.specVersion });
  }

  /** The runtime that made a block: the one that its parent left. */
  async #runtimeAt(rpc: Asked, block: string): Promise<Runtime> {
    const { parentHash } = shaped(header, await rpc.request('chain_getHeader', [block]));
    const version = shaped(VERSION, await rpc.request('state_getRuntimeVersion', [parentHash]));
    return this.#load(rpc, version, parentHash);
  }

  /** Metadata is large and read for a second, so a runtime is kept. */
  #load(rpc: Asked, version: RuntimeVersion, block?: string): Promise<Runtime> {
    return this.#loading.take(async () => this.#runtimes.get(version.specVersion) ?? this.#read(rpc, version, block));
  }

  /** @throws PROTOCOL when there are more runtimes than any chain has: an endpoint could keep this program busy with them */
  async #read(rpc: Asked, version: RuntimeVersion, block?: string): Promise<Runtime> {
    if (rpc.end) throw rpc.end;
    if (!this.#loads.take(1, this.#now())) throw nonsense('one runtime after another');
    const runtime = new Runtime(await metadataOf(rpc, block), version);
    if (this.#runtimes.size >= MOST_RUNTIMES) this.#runtimes.clear();
    this.#runtimes.set(version.specVersion, runtime);
    this.#set({ ...this.#state, ...(block === undefined && { specVersion: version.specVersion }) });
    return runtime;
  }

  /** Whether the endpoint is behind. @throws when it does not answer as it should */
  async #look(rpc: RpcSocket): Promise<boolean> {
    const { number: block } = shaped(header, await rpc.request('chain_getHeader'));
    const reader = await this.at();
    const madeAt = await reader.one(bigNumber, 'timestamp', 'now');
    if (madeAt === undefined) throw nonsense('a chain without a clock');
    this.#set({ ...this.#state, block });
    return this.#now() - Number(madeAt) > OLD_MS;
  }

  /** Another endpoint may be better; once all were behind, the last one is kept: then it is the chain that stands still. */
  #mayLeave(): boolean {
    return ++this.#leftBehind < this.#options.network.endpoints.length;
  }

  #behind(): QuarryError {
    return new QuarryError({ code: 'CHAIN_UNREACHABLE', message: say('bittensor.chain.behind'), retryable: true });
  }

  #unreachable(): QuarryError {
    const { network, reason, retryAt } = this.#state;
    return new QuarryError({
      code: 'CHAIN_UNREACHABLE',
      message: say('bittensor.chain.unreachable', { network }),
      hint: reason ?? say('bittensor.chain.otherEndpoint'),
      retryable: true,
      ...(retryAt !== undefined && { retryAfterMs: Math.max(0, retryAt - this.#now()) }),
    });
  }

  #set(state: Partial<ChainState> & Pick<ChainState, 'status'>): void {
    const { network, endpoint } = this.#state;
    this.#state = { network, endpoint, ...state };
    this.changes.tell();
  }
}

/** Waits for a time, or until the connection ends. */
async function ended(rpc: RpcSocket, ms: number): Promise<void> {
  const ending = new AbortController();
  const off = rpc.onEnd(() => ending.abort());
  await sleep(ms, undefined, { signal: ending.signal }).catch(ignoring('it has ended'));
  off();
}

import { setTimeout as sleep } from 'node:timers/promises';
import { RpcSocket } from '../../src-main/bittensor/chain/rpc-socket.ts';
import { Runtime } from '../../src-main/bittensor/chain/runtime.ts';
import { findChainSpec, type LocalChain, startChain } from './chopsticks.ts';

/** Genesis of a subtensor; undefined, loudly, where there is none: then nothing of this can be tested. */
export const SPEC = findChainSpec();
/** The one subnet that the genesis has beside the root. */
export const NETUID = 1;

/** Between two looks at what waits: programs that are to send something want the processor, too. */
const LOOK_AGAIN_MS = 50;

/** A real subtensor of runtime 218 whose blocks are made when the test says so. */
export class LocalSubtensor {
  readonly #node: LocalChain;
  readonly rpc: RpcSocket;
  readonly runtime: Runtime;

  private constructor(node: LocalChain, rpc: RpcSocket, runtime: Runtime) {
    this.#node = node;
    this.rpc = rpc;
    this.runtime = runtime;
  }

  static async start(): Promise<LocalSubtensor> {
    const node = await startChain(SPEC ?? '');
    const rpc = await RpcSocket.open(node.url, { requestMs: 300_000 });
    const metadata = (await rpc.request('state_getMetadata')) as `0x${string}`;
    return new LocalSubtensor(node, rpc, new Runtime(metadata, { specVersion: 218, transactionVersion: 1 }));
  }

  get url(): string {
    return this.#node.url;
  }

  /** Puts something into storage. */
  async store(type: string, value: unknown, ...[pallet, item, ...args]: [string, string, ...unknown[]]): Promise<void> {
    const { key } = this.runtime.slot(pallet, item, ...args)!;
    const stored = this.runtime.registry.createTypeUnsafe(type, [value]).toHex(true);
    await this.rpc.request('dev_setStorage', [[[key, stored]]]);
  }

  /** Gives an account rao. @param who its address or public key */
  fund(who: string | Uint8Array, free: bigint): Promise<void> {
    const account = { providers: 1, data: { free } };
    return this.store('FrameSystemAccountInfo', account, 'system', 'account', who);
  }

  blocks(count: number): Promise<unknown> {
    return this.rpc.request('dev_newBlock', [{ count }]);
  }

  /** What becomes of a call: blocks are made as long as one is waiting to come into one. */
  async outcome<T>(sending: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => {
      settled = true;
    };
    sending.then(end, end);
    while (!settled) {
      const waiting = (await this.rpc.request('author_pendingExtrinsics')) as unknown[];
      if (waiting.length > 0) await this.blocks(1);
      else await sleep(LOOK_AGAIN_MS);
    }
    return sending;
  }

  async close(): Promise<void> {
    this.rpc.close();
    await this.#node.close();
  }
}

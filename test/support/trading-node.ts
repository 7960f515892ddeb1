import type { Funds } from '../../src-main/credits/credits.ts';
import type { CreditBook, CreditBookOptions } from '../../src-main/credits/ledger/credit-book.ts';
import { openCreditBook } from '../../src-main/credits/ledger/credit-book.ts';
import { TIERS } from '../../src-main/credits/tiers.ts';
import type { Voucher } from '../../src-main/credits/voucher.ts';
import { Attempt, DEFAULT_PATIENCE } from '../../src-main/mesh/asking/attempt.ts';
import { MeshClient } from '../../src-main/mesh/asking/client.ts';
import type { InferenceMessage } from '../../src-main/mesh/inference/messages.ts';
import { INFERENCE_NETWORK } from '../../src-main/mesh/inference/messages.ts';
import { VoucherOffice } from '../../src-main/mesh/serving/voucher-office.ts';
import { MeshWorker } from '../../src-main/mesh/serving/worker.ts';
import { PROTOCOL_VERSION } from '../../src-main/mesh/transport/envelope.ts';
import { type Identity, verify } from '../../src-main/mesh/transport/identity.ts';
import { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import type { MeshName } from '../../src-main/mesh/transport/topic.ts';
import type { Db } from '../../src-main/store/database.ts';
import { memoryDatabase } from './memory-database.ts';
import { TEST_MESH } from './mesh-name.ts';
import { openSwarm, randomIdentity, testLog } from './mesh-node.ts';
import { PATIENCE_MS } from './patience.ts';
import { ScriptedBackend } from './scripted-backend.ts';
import type { Testnet } from './testnet.ts';

const NO_LIMIT = 1_000_000;
const ANYBODY = Object.fromEntries(TIERS.map((tier) => [tier, NO_LIMIT]));
/** What a node of these asks for, and what that costs. */
export const MAX_TOKENS = 5;
export const PRICE = 2;

/** A node that serves and asks, with real books and a real connection: its model has its name, so that one may ask it by that. */
export interface TradingNode {
  readonly name: string;
  readonly identity: Identity;
  readonly id: string;
  readonly network: MeshNetwork<InferenceMessage>;
  readonly backend: ScriptedBackend;
  readonly worker: MeshWorker;
  readonly client: MeshClient;
  readonly book: CreditBook;
  readonly db: Db;
  /** By how much the clock of its books is ahead. */
  clock: { aheadMs: number };
  /** Asks another node, or whoever there is, for as few tokens as two credits buy. @throws what the client does */
  ask(other?: { name: string }): Promise<void>;
  close(): Promise<void>;
}

export interface TradingNodeOptions {
  testnet: Pick<Testnet, 'bootstrap'>;
  /** Default: that of this process. */
  mesh?: MeshName;
  name: string;
  /** Default: a new one. */
  identity?: Identity;
  /** What its answers are made of: two credits' worth by default. */
  tokens?: string[];
  books?: Partial<CreditBookOptions>;
}

export async function openTradingNode(options: TradingNodeOptions): Promise<TradingNode> {
  const { testnet, mesh, name, identity = randomIdentity(), tokens = ['Yes'], books } = options;
  const clock = { aheadMs: 0 };
  const db = await memoryDatabase();
  const now = () => Date.now() + clock.aheadMs;
  const book = await openCreditBook({ db, identity, verify, now, log: testLog, ...books });
  const swarm = await openSwarm({ bootstrap: testnet.bootstrap, identity, mesh: mesh ?? TEST_MESH });
  const describe = () => ({ sides: ['worker' as const, 'client' as const] });
  const network = new MeshNetwork({ ...INFERENCE_NETWORK, swarm, mode: 'both', describe, log: testLog });
  await network.open();
  await network.discovered();
  const backend = new ScriptedBackend({ tokens, model: name });
  const worker = new MeshWorker({
    network,
    identity,
    backend,
    credits: book.worker,
    health: () => ({ score: 90, state: 'idle', capacity: 100, accepting: true }),
    requestsPerMinute: ANYBODY,
    log: testLog,
  });
  const patience = { findWorkerMs: PATIENCE_MS, vouchersMs: PATIENCE_MS };
  const client = new MeshClient({ network, identity, credits: book.client, ...patience, log: testLog });
  const office = new VoucherOffice({ network, credits: book.vouchers, log: testLog });
  worker.open();
  client.open();
  office.open();
  return {
    ...{ name, identity, id: identity.id, network, backend, worker, client, book, db, clock },
    async ask(other) {
      const request = { input: { prompt: 'hello' }, maxTokens: MAX_TOKENS };
      for await (const _ of client.generate(request, other ? { model: other.name } : {}));
    },
    async close() {
      for (const resource of [office, client, worker, network, swarm, book]) await resource.close();
      await db.destroy();
    },
  };
}

/**
 * Asks as the client does, with vouchers that the caller has from wherever, and pays as the caller says.
 *
 * @returns what paid for it. @throws what the worker refuses with
 */
export async function askWith(
  client: TradingNode,
  worker: string,
  vouchers: readonly Voucher[],
  pays: boolean,
): Promise<Funds> {
  const peer = client.network.peers.get(worker);
  if (!peer) throw new Error('The worker is not there.');
  const attempt = new Attempt({
    ...{ peer, identity: client.identity, model: undefined, maxTokens: MAX_TOKENS, deadlineMs: 60_000, vouchers },
    request: { input: { prompt: 'hello' } },
    patience: DEFAULT_PATIENCE,
    longestQueueMs: () => 60_000,
    pledge: (pledge) => client.book.client.pledge(pledge),
    now: Date.now,
  });
  const { requestId } = attempt;
  await client.book.client.open({ requestId, worker, maxTokens: MAX_TOKENS });
  const known = client.client.workers().find(({ id }) => id === worker);
  const asking = known?.begin();
  asking?.sent(requestId, { logprobs: false }); // answers that nobody awaits are not read
  try {
    attempt.start();
    for await (const event of attempt) {
      if (event.type !== 'result') continue;
      if (!pays) await client.book.client.release(requestId, { by: 'client', code: 'CANCELLED' });
      else {
        const receipt = await client.book.client.countersign(event.bill, event.observed);
        peer.send({ v: PROTOCOL_VERSION, type: 'receipt', status: 'signed', receipt });
      }
      return event.observed.funds;
    }
  } finally {
    asking?.end();
  }
  throw new Error('The answer ended without a result.');
}

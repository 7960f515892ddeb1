import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from 'hyperdht';
import type { Served } from '../../src-main/credits/credits.ts';
import { type CreditBook, openCreditBook } from '../../src-main/credits/ledger/credit-book.ts';
import type { Receipt } from '../../src-main/credits/receipt.ts';
import { SCORES_NETWORK } from '../../src-main/mesh/scores/score-messages.ts';
import { ScoreNetwork } from '../../src-main/mesh/scores/score-network.ts';
import { type Identity, verify } from '../../src-main/mesh/transport/identity.ts';
import { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { signedReceipt } from './credit-nodes.ts';
import { openSwarm, testLog } from './mesh-node.ts';

/** A worker on the scores network of a testnet, with its own ledger and logs in a folder that outlives a restart. */
export interface ScoreNode {
  identity: Identity;
  dir: string;
  book: CreditBook;
  scores: ScoreNetwork;
  /** What this node has banned another for. */
  bannedFor(id: string): string | undefined;
  /** Books a request that this node served to `client`. */
  serve(client: Identity, over?: Partial<Served>): Promise<Receipt>;
  close(): Promise<void>;
}

const TIMING = {
  publishEveryMs: 50,
  witnessWithinMs: 50,
  blockTimeoutMs: 2_000,
  askEveryMs: 500,
  quietMs: 300,
  aloneMs: 1_000,
  claimsMs: 10_000,
  lookEveryMs: 50,
};

export async function openScoreNode(options: {
  bootstrap: Address[];
  identity: Identity;
  dir?: string;
  now?: () => number;
  /** It was restored from a backup, at this moment (Unix milliseconds). */
  catchUpSince?: number;
  /** For how long nothing new has to have come from others before it goes on, in milliseconds. Default: hardly any time. */
  quietMs?: number;
  /** It may append to its log, or finds that another one does. */
  onOwn?: (state: 'live' | 'split') => void;
}): Promise<ScoreNode> {
  const { identity, bootstrap, now, catchUpSince, quietMs, onOwn } = options;
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'quarry-scores-')));
  const db = await openDatabase(join(dir, 'quarry.db'));
  const book = await openCreditBook({ db, identity, verify, now, log: testLog });
  const swarm = await openSwarm({ bootstrap, identity });
  const network = new MeshNetwork({
    ...SCORES_NETWORK,
    swarm,
    mode: 'both',
    describe: () => ({ sides: ['worker'] }),
    log: testLog,
  });
  const scores = new ScoreNetwork({
    network,
    identity,
    credits: book,
    db,
    dataDir: dir,
    catchUp: catchUpSince === undefined ? undefined : { at: catchUpSince },
    onOwn,
    now,
    timing: quietMs === undefined ? TIMING : { ...TIMING, quietMs, aloneMs: quietMs },
    log: testLog,
  });
  await scores.open();
  await network.discovered();
  return {
    identity,
    dir,
    book,
    scores,
    bannedFor: (id) => swarm.bans.find(id)?.reason,
    async serve(client, over = {}) {
      const receipt = signedReceipt(identity, client, { servedAt: Date.now(), ...over });
      await book.worker.settle(receipt);
      return receipt;
    },
    async close() {
      await scores.close();
      await swarm.close();
      await book.close();
      await db.destroy();
    },
  };
}

/** Removes what a node left on disk. */
export async function removeScoreNode({ dir }: Pick<ScoreNode, 'dir'>): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}

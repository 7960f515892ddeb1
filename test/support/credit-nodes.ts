import { createHash } from 'node:crypto';
import pino from 'pino';
import type { Observed, Served, Standing } from '../../src-main/credits/credits.ts';
import type { CreditBook } from '../../src-main/credits/ledger/credit-book.ts';
import { openCreditBook } from '../../src-main/credits/ledger/credit-book.ts';
import { costOf } from '../../src-main/credits/price.ts';
import { type Receipt, type ReceiptBody, receiptBytes } from '../../src-main/credits/receipt.ts';
import { pointsFor } from '../../src-main/credits/score/points.ts';
import type { GiftRule } from '../../src-main/credits/standing/gifts.ts';
import { type Identity, identityFromSeed, verify } from '../../src-main/mesh/transport/identity.ts';
import { type Db, openDatabase } from '../../src-main/store/database.ts';
import { memoryDatabase } from './memory-database.ts';

/** A moment after the protocol's epoch, at noon UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12);
export const DAY = 86_400_000;

/** The same number gives the same identity. */
export function testIdentity(number: number): Identity {
  return identityFromSeed(createHash('sha256').update(`test identity ${number}`).digest());
}

let requests = 0;
/** A request id that no other test has. */
export function nextRequestId(): string {
  return (++requests).toString(16).padStart(32, '0');
}

/** A request worth 10 points: fast, a long prompt, a full answer. */
export function served(over: Partial<Served> & Pick<Served, 'client' | 'requestId'>): Served {
  return {
    model: 'tiny',
    promptHash: 'a'.repeat(64),
    resultHash: 'b'.repeat(64),
    promptTokens: 40,
    completionTokens: 100,
    promptChars: 160,
    resultChars: 400,
    firstTokenMs: 50,
    processingMs: 400,
    servedAt: NOON,
    ...over,
  };
}

/** What an honest client saw of a request. */
export function observed(work: Served, worker: string, over: Partial<Observed> = {}): Observed {
  const { requestId, promptHash, resultHash, promptChars, resultChars, completionTokens, processingMs } = work;
  return {
    requestId,
    worker,
    promptHash,
    resultHash,
    promptChars,
    resultChars,
    elapsedMs: processingMs + 100,
    streamMs: Math.max(0, processingMs - 50),
    completionTokens,
    funds: 'claim',
    ...over,
  };
}

/** A node with a credit book of its own and a clock that the test moves. */
export interface CreditNode {
  identity: Identity;
  db: Db;
  book: CreditBook;
  clock: { now: number };
  close(): Promise<void>;
  /** kill -9, and the next start: from this call on nothing is written any more, and what was not is not known. */
  die(): Promise<void>;
}

export async function openCreditNode(
  number: number,
  options: {
    path?: string;
    clock?: { now: number };
    standing?: (id: string) => Standing;
    /** A worker for friends: clients never run out. */
    friends?: boolean;
    gifts?: GiftRule;
  } = {},
): Promise<CreditNode> {
  const identity = testIdentity(number);
  const clock = options.clock ?? { now: NOON };
  const db = options.path ? await openDatabase(options.path) : await memoryDatabase();
  const open = async () => {
    const { handle, cut } = cuttable(db);
    const book = await openCreditBook({
      db: handle,
      identity,
      verify,
      now: () => clock.now,
      standing: options.standing,
      rule: options.friends ? 'witnessed' : 'claims',
      gifts: options.gifts,
      log: pino({ level: 'silent' }),
    });
    return { book, cut };
  };
  let living = await open();
  const node: CreditNode = {
    identity,
    db,
    clock,
    book: living.book,
    async close() {
      await node.book.close();
      await db.destroy();
    },
    async die() {
      living.cut();
      await node.book.close();
      living = await open();
      node.book = living.book;
    },
  };
  return node;
}

/** A handle of the database that can be cut off. A transaction is done in one turn of the event loop, or has not begun. */
function cuttable(db: Db): { handle: Db; cut: () => void } {
  let dead = false;
  const handle = new Proxy(db, {
    get(target, name) {
      if (dead) throw new Error('The process is dead.');
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const cut = () => {
    dead = true;
  };
  return { handle, cut };
}

/** A receipt that both nodes sign, without any books. */
export function signedReceipt(worker: Identity, client: Identity, over: Partial<Served> = {}): Receipt {
  const work = served({ client: client.id, requestId: nextRequestId(), ...over });
  const body: ReceiptBody = {
    v: 2,
    ...work,
    worker: worker.id,
    points: pointsFor(work),
    cost: costOf(work),
  };
  const bytes = receiptBytes(body);
  return { body, workerSig: worker.sign(bytes), clientSig: client.sign(bytes) };
}

/** The node serves a peer, which signs for it: from then on that should owe it so many credits more. */
export async function serveTo({ book, identity, clock }: CreditNode, peer: Identity, credits: number): Promise<void> {
  const completionTokens = (credits - 1) * 256;
  await book.worker.settle(signedReceipt(identity, peer, { completionTokens, servedAt: clock.now }));
}

/** A peer serves the node, which pays for it: from then on it owes the peer so many credits more. */
export async function oweTo({ book, identity, clock }: CreditNode, peer: Identity, credits: number): Promise<void> {
  const requestId = nextRequestId();
  const maxTokens = (credits - 1) * 256;
  await book.client.open({ requestId, worker: peer.id, maxTokens });
  const { body } = signedReceipt(peer, identity, { completionTokens: maxTokens, requestId, servedAt: clock.now });
  const bill = { body, workerSig: peer.sign(receiptBytes(body)) };
  await book.client.countersign(bill, observed(body, peer.id, { funds: 'gift' }));
}

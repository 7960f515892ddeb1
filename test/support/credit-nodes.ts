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
  const { requestId, promptHash, resultHash, promptChars, resultChars, processingMs } = work;
  return {
    requestId,
    worker,
    promptHash,
    resultHash,
    promptChars,
    resultChars,
    elapsedMs: processingMs + 100,
    streamMs: Math.max(0, processingMs - 50),
    maxTokens: 256,
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
  const db = await openDatabase(options.path ?? ':memory:');
  const book = await openCreditBook({
    db,
    identity,
    verify,
    now: () => clock.now,
    standing: options.standing,
    rule: options.friends ? 'witnessed' : 'claims',
    gifts: options.gifts,
    log: pino({ level: 'silent' }),
  });
  const close = async () => {
    await book.close();
    await db.destroy();
  };
  return { identity, db, book, clock, close };
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
  await book.client.countersign(bill, observed(body, peer.id, { maxTokens, funds: 'gift' }));
}

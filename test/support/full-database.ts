import { readFile, rm, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { pledgeBytes } from '../../src-main/credits/pledge.ts';
import { NO_SCORE } from '../../src-main/credits/score/score.ts';
import { VOUCHER_MS } from '../../src-main/credits/standing/vouchers.ts';
import { type VoucherBody, voucherBytes } from '../../src-main/credits/voucher.ts';
import { ActivityStore } from '../../src-main/store/activity.ts';
import { CalibrationStore } from '../../src-main/store/calibrations.ts';
import { ConversationStore } from '../../src-main/store/conversations/conversations.ts';
import type { Db } from '../../src-main/store/database.ts';
import { BanStore } from '../../src-main/store/mesh/bans.ts';
import { ScoreStore } from '../../src-main/store/mesh/scores.ts';
import { WebSessionStore } from '../../src-main/store/web-sessions.ts';
import {
  type CreditNode,
  DAY,
  NOON,
  nextRequestId,
  openCreditNode,
  oweTo,
  serveTo,
  testIdentity,
} from './credit-nodes.ts';
import { ask, fundOn, reserveOn, serve } from './live-ledger.ts';

/** Number of the identity whose ledger it is. */
export const OWNER = 1;

/**
 * Makes a database as a node has one after some days, with rows in every table, by the stores themselves:
 * `node test/support/full-database.ts test/fixtures/databases/NNNN-what.db.gz`, when a release has added a table.
 */
export async function makeFullDatabase(path: string): Promise<void> {
  const node = await openCreditNode(OWNER, { path });
  for (let count = 0; count < 12; count++) await serve(node);
  await node.book.worker.release({ client: testIdentity(2).id, requestId: await fundOn(node) }, 'ENGINE_CRASHED');
  await ask(node); // its receipt stays in the outbox: the worker was never told
  await moveClaims(node);
  await payParts(node);
  await node.book.verify(); // which leaves a checkpoint
  await leaveOpen(node);
  await fillOthers(node.db);
  await node.close();
}

/** What this node owes and is owed, moved by vouchers of every kind and corrected. */
async function moveClaims(node: CreditNode): Promise<void> {
  const { identity, clock, book } = node;
  const [debtor, bank, client] = [testIdentity(5), testIdentity(6), testIdentity(8)];
  await serveTo(node, debtor, 12);
  await oweTo(node, bank, 9);
  await oweTo(node, client, 3);
  await book.vouchers.vouch({ kind: 'claim', worker: debtor.id, client: client.id, credits: 2 });
  await book.vouchers.vouch({ kind: 'word', worker: debtor.id, client: client.id, credits: 1 });
  await book.client.vouched(debtor.id, bank.id, 2);
  await book.client.corrected(debtor.id, 7);
  const parties = { by: bank.id, worker: identity.id, client: client.id };
  const body: VoucherBody = {
    kind: 'claim',
    ...parties,
    credits: 3,
    serial: 'e'.repeat(32),
    expires: clock.now + VOUCHER_MS,
  };
  const vouchers = [{ body, sig: bank.sign(voucherBytes(body)) }];
  const request = { client: client.id, requestId: nextRequestId() };
  await book.worker.fund({ ...request, host: '203.0.113.7', maxTokens: 512, vouchers });
  await book.worker.release(request, 'CANCELLED');
}

/** Answers that ended without a receipt, of which a part was pledged, as worker and as client. */
async function payParts(node: CreditNode): Promise<void> {
  const requestId = await pledgedFor(node);
  await node.book.worker.release({ client: testIdentity(2).id, requestId }, 'CANCELLED', { streamed: 100 });
  await node.book.client.release(await pledge(node), { by: 'client', code: 'WORKER_LOST' });
}

/** Requests that were under way when the process died, one of them of before the claims. */
async function leaveOpen(node: CreditNode): Promise<void> {
  await pledgedFor(node);
  await pledge(node);
  await reserveOn(node);
}

/** Somebody pledges a credit. @returns the request's id */
async function pledgedFor(node: CreditNode): Promise<string> {
  const client = testIdentity(2);
  const said = { requestId: await fundOn(node), client: client.id, promptHash: 'a'.repeat(64), credits: 1 };
  const sig = client.sign(pledgeBytes({ ...said, worker: node.identity.id }));
  await node.book.worker.keepPledge({ ...said, sig });
  return said.requestId;
}

/** This node pledges a credit. @returns the request's id */
async function pledge({ book }: CreditNode): Promise<string> {
  const said = { requestId: nextRequestId(), worker: testIdentity(6).id };
  await book.client.open({ ...said, maxTokens: 256 });
  await book.client.pledge({ ...said, promptHash: 'a'.repeat(64), credits: 1, funds: 'gift' });
  return said.requestId;
}

async function fillOthers(db: Db): Promise<void> {
  const worker = testIdentity(3).id;
  const witness = testIdentity(4).id;
  const ban = { nodeId: worker, reason: 'flooded this node', bannedAt: NOON, expiresAt: NOON + DAY, times: 2 };
  await new BanStore(db).write(new Map([[ban.nodeId, ban]]));

  const activity = new ActivityStore(db);
  const work = { on_ms: 60_000, serving_ms: 30_000, tokens: 900, answers: 2, points: 13, busy: 1, joules: 540_000 };
  await activity.add({ at: NOON, model: 'tiny', seen: NOON + 60_000, ...work });
  await activity.begin({ began: NOON, ended: NOON + 30_000, kind: 'paused', rule: 'battery' });

  const scores = new ScoreStore(db);
  const log = {
    worker,
    log_key: 'd'.repeat(64),
    seq: 2,
    state: JSON.stringify(NO_SCORE),
    claim: null,
    updated_at: NOON,
  };
  const entry = { worker, request_id: nextRequestId(), client: witness, day: 20_000, counted: 10, total: 10 };
  await scores.advance(
    [
      { ...entry, seq: 1 },
      { ...entry, seq: 2, request_id: null, client: null, day: null },
    ],
    log,
  );
  await scores.putWitness({ worker, witness, statement: '{"v":2}' });
  const mark = { worker, reason: 'fork', detail: 'two entries with number 2', evidence: '{}' };
  await scores.putMark({ ...mark, at: NOON, expires_at: NOON + DAY });

  const machine = { sha256: 'a'.repeat(64), device: 'cpu', threads: 4, gpuLayers: 0 };
  const measured = {
    prefill: 120.5,
    decode: 12.5,
    cpuBytes: 4e9,
    gpuBytes: 0,
    decodeCosts: [{ sequences: 1, ms: 9.5 }],
    bits: 4.9,
    measuredAt: NOON,
  };
  await new CalibrationStore(db).put({ ...machine, ...measured });

  const session = { hash: 'A'.repeat(44), realm: 'tokens', startedAt: NOON, usedAt: NOON + DAY };
  await new WebSessionStore(db).save([session]);

  const conversations = new ConversationStore(db);
  const id = '00000000-0000-4000-8000-000000000001';
  await conversations.insert({ id, title: 'Granite', createdAt: NOON, updatedAt: NOON, options: { target: 'mesh' } });
  const times = { firstTokenMs: 1.5, totalMs: 9, tokensPerSecond: 20.25 };
  const answer = {
    state: 'done' as const,
    target: 'mesh' as const,
    model: 'm',
    worker,
    tokens: 2,
    ...times,
    paid: [{ worker, credits: 2, from: 'gift' as const }],
    error: null,
  };
  await conversations.advance(id, {
    at: NOON,
    title: '',
    added: [
      { role: 'user', text: 'What is granite?', at: NOON, answer: null },
      { role: 'assistant', text: 'Stone.', at: NOON + 9, answer },
    ],
  });
}

if (import.meta.main) {
  const [target] = process.argv.slice(2);
  if (!target) throw new Error('Name the file to write.');
  const path = `${target}.making`;
  await makeFullDatabase(path);
  new SQLite(path).exec('PRAGMA journal_mode = DELETE; VACUUM');
  await writeFile(target, gzipSync(await readFile(path), { level: 9 }));
  await rm(path);
}

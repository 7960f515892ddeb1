import { type RawBuilder, sql } from 'kysely';
import { receiptBytes } from '../../src-main/credits/receipt.ts';
import { appendEntry } from '../../src-main/store/credits/ledger.ts';
import type { Db } from '../../src-main/store/database.ts';
import { type CreditNode, nextRequestId, observed, openCreditNode, served, testIdentity } from './credit-nodes.ts';

const client = testIdentity(2);

/** Some of everything: served, failed, asked, and open from before the claims. */
export async function liveOn(node: CreditNode, requests = 12): Promise<void> {
  for (let count = 0; count < requests; count++) await serve(node);
  const failed = await fundOn(node);
  await node.book.worker.release({ client: client.id, requestId: failed }, 'ENGINE_CRASHED');
  await ask(node);
  await reserveOn(node);
}

/** What an older Quarry has set aside for a client, and not ended. */
export async function reserveOn(node: CreditNode): Promise<void> {
  const [requestId, at, amount] = [nextRequestId(), node.clock.now, 2];
  const [available, reserved] = ['available', 'reserved'].map((what) => `client:${client.id}:${what}`) as [
    string,
    string,
  ];
  await node.db.transaction().execute(async (trx) => {
    await appendEntry(trx, {
      at,
      kind: 'allowance',
      key: `allowance:client:${client.id}:${requestId}`,
      postings: { [available]: amount, 'issue:allowance': -amount },
    });
    const entry = await appendEntry(trx, {
      at,
      kind: 'reserve',
      key: `reserve:worker:${requestId}:000000001`,
      requestId,
      memo: client.id,
      postings: { [available]: -amount, [reserved]: amount },
    });
    const row = { role: 'worker', request_id: requestId, peer: client.id, amount, entry } as const;
    await trx.insertInto('reservations').values(row).execute();
  });
}

export async function fundOn(node: CreditNode): Promise<string> {
  const requestId = nextRequestId();
  await node.book.worker.fund({ requestId, client: client.id, host: '203.0.113.7', maxTokens: 256, vouchers: [] });
  return requestId;
}

export async function serve(node: CreditNode): Promise<void> {
  node.clock.now += 86_400_000;
  const requestId = await fundOn(node);
  const bill = node.book.worker.bill(served({ client: client.id, requestId, servedAt: node.clock.now }));
  await node.book.worker.settle({ ...bill, clientSig: client.sign(receiptBytes(bill.body)) });
}

export async function ask(node: CreditNode): Promise<void> {
  const other = await openCreditNode(7, { clock: node.clock });
  const requestId = nextRequestId();
  await node.book.client.open({ requestId, worker: other.identity.id, maxTokens: 256 });
  const work = served({ client: node.identity.id, requestId, servedAt: node.clock.now });
  await node.book.client.countersign(other.book.worker.bill(work), observed(work, other.identity.id));
  await other.close();
}

/** What someone does who edits the file: the rules that the database enforces are gone. */
export async function tamperWith(db: Db, ...statements: RawBuilder<unknown>[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'trigger'`.execute(db);
  await sql`PRAGMA foreign_keys = OFF`.execute(db);
  for (const { name } of rows) await sql.raw(`DROP TRIGGER ${name}`).execute(db);
  for (const statement of statements) await statement.execute(db);
}

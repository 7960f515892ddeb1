import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiptBytes } from '../../src-main/credits/receipt.ts';
import { type CreditNode, nextRequestId, openCreditNode, served, testIdentity } from '../support/credit-nodes.ts';

const client = testIdentity(2);
let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-faults-'));
  path = join(dir, 'quarry.db');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const limitPages = (node: CreditNode, pages: number) => sql.raw(`PRAGMA max_page_count = ${pages}`).execute(node.db);

function receiptFor(node: CreditNode) {
  const bill = node.book.worker.bill(served({ client: client.id, requestId: nextRequestId() }));
  return { ...bill, clientSig: client.sign(receiptBytes(bill.body)) };
}

/** Settles until the disk is full. @returns the receipt that did not fit, and how many did */
async function fillDisk(node: CreditNode) {
  for (let settled = 0; ; settled++) {
    const receipt = receiptFor(node);
    const error = await node.book.worker.settle(receipt).catch((reason) => reason);
    if (error instanceof Error) return { receipt, settled, error };
  }
}

it('a full disk refuses by name, loses nothing, and the book goes on when there is room', async () => {
  const node = await openCreditNode(1, { path });
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(node.db);
  await limitPages(node, (rows[0]?.page_count ?? 0) + 10);

  const { receipt, settled, error } = await fillDisk(node);
  expect(error).toMatchObject({ code: 'DISK_FULL', hint: expect.any(String) });
  expect(settled).toBeGreaterThan(0);
  expect(await node.book.summary()).toMatchObject({ served: settled });
  expect(await node.book.verify()).toMatchObject({ ok: true });

  await limitPages(node, 1_000_000);
  await node.book.worker.settle(receipt);
  expect(await node.book.summary()).toMatchObject({ served: settled + 1 });
  expect(await node.book.verify()).toMatchObject({ ok: true });
  await node.close();
});

it('a database damaged while the node was off is refused at the start, by name', async () => {
  const node = await openCreditNode(1, { path });
  for (let count = 0; count < 50; count++) await node.book.worker.settle(receiptFor(node));
  await node.close();
  const bytes = await readFile(path);
  for (let at = 4_096; at < bytes.length; at += 512) bytes[at] = 255 - (bytes[at] ?? 0);
  await writeFile(path, bytes);
  await expect(openCreditNode(1, { path })).rejects.toMatchObject({
    code: 'DATABASE_CORRUPT',
    hint: expect.any(String),
  });
});

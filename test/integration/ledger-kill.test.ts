import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Receipt } from '../../src-main/credits/receipt.ts';
import type { Voucher } from '../../src-main/credits/voucher.ts';
import { findEntry } from '../../src-main/store/credits/ledger.ts';
import { areDaysRight, areQuartersRight } from '../../src-main/store/credits/own-entries.ts';
import { type CreditNode, openCreditNode } from '../support/credit-nodes.ts';
import { startChild } from '../support/killed-child.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/ledger-child.ts', import.meta.url));
const KILLS = 12 * ROUNDS;
/** Databases that are killed over and over, and how many of them at a time. */
const CHAINS = 4;
const AT_ONCE = 2;
const ALWAYS = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

interface Acknowledged {
  done: 'open' | 'pledge' | 'part' | 'settle' | 'countersign' | 'vouch';
  requestId: string;
  points?: number;
  receipt?: Receipt;
  voucher?: Voucher;
}

/** What a request has come to: what was pledged for it is paid in any case, as a part or by its receipt. */
const ENDS: Partial<Record<Acknowledged['done'], RegExp>> = {
  pledge: /^(release|earn|pay)$/,
  part: /^release$/,
  settle: /^earn$/,
  countersign: /^pay$/,
};

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-kill-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Lets a child write the ledger until it is killed, a moment after its `last` operation. @returns what it had acknowledged */
async function writeUntilKilled(path: string, last: number): Promise<Acknowledged[]> {
  const child = startChild(CHILD, [path]);
  const acknowledged: Acknowledged[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const operation = JSON.parse(line) as Acknowledged;
    if (operation.done !== 'open') acknowledged.push(operation);
    if (acknowledged.length === last) setTimeout(() => child.kill('SIGKILL'), Math.random() * 5);
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  expectKilled(child);
  return acknowledged;
}

function expectKilled(child: ChildProcess): void {
  if (process.platform === 'win32') expect(child.exitCode).not.toBe(0);
  else expect(child.signalCode).toBe('SIGKILL');
}

/** Everything that had been acknowledged is there, exactly once, and sending it again changes nothing. */
async function expectNothingLost(node: CreditNode, acknowledged: Acknowledged[]): Promise<void> {
  const kept = await kinds(node);
  for (const { done, requestId, voucher } of acknowledged) {
    if (voucher) expect(await findEntry(node.db, `voucher:${voucher.body.serial}`)).toBeDefined();
    else expect({ done, kept: kept.get(requestId) }).toEqual({ done, kept: [expect.stringMatching(ENDS[done] ?? '')] });
  }
  const before = await node.book.summary();
  for (const { receipt, points } of acknowledged.slice(-20)) {
    if (receipt) expect(await node.book.worker.settle(receipt)).toMatchObject({ points, achievements: [] });
  }
  expect(await node.book.summary()).toEqual(before);
}

async function kinds({ db }: CreditNode): Promise<Map<string, string[]>> {
  const byRequest = new Map<string, string[]>();
  const rows = await db.selectFrom('ledger_entries').select(['request_id', 'kind']).execute();
  for (const { request_id, kind } of rows) {
    if (request_id) byRequest.set(request_id, [...(byRequest.get(request_id) ?? []), kind]);
  }
  return byRequest;
}

describe('a process that writes the ledger', () => {
  it(`killed ${KILLS} times at random moments loses nothing that it acknowledged and counts nothing twice`, async () => {
    const chain = async (number: number) => {
      const path = join(dir, `chain-${number}.db`);
      let total = 0;
      for (let kill = 0; kill < KILLS / CHAINS; kill++) {
        const acknowledged = await writeUntilKilled(path, Math.floor(Math.random() * 40));
        total += acknowledged.length;
        const node = await openCreditNode(1, { path, clock: { now: Date.now() } });
        expect(await node.db.selectFrom('open_pledges').selectAll().execute()).toEqual([]);
        await expectNothingLost(node, acknowledged);
        expect(await node.book.verify()).toMatchObject({ ok: true, openReservations: 0 });
        expect([await areQuartersRight(node.db, ALWAYS), await areDaysRight(node.db, ALWAYS)]).toEqual([true, true]);
        await node.close();
      }
      return total;
    };
    let total = 0;
    for (let number = 0; number < CHAINS; number += AT_ONCE) {
      const totals = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => chain(number + at)));
      total += totals.reduce((sum, acknowledged) => sum + acknowledged, 0);
    }
    expect(total).toBeGreaterThan(KILLS); // there was something to lose, however slow the machine
  });
});

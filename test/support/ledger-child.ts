import { randomBytes } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { pledgeBytes } from '../../src-main/credits/pledge.ts';
import { receiptBytes } from '../../src-main/credits/receipt.ts';
import { type Voucher, type VoucherBody, voucherBytes } from '../../src-main/credits/voucher.ts';
import { observed, openCreditNode, served, testIdentity } from './credit-nodes.ts';
import { report } from './report.ts';

/*
 * A process that writes a ledger until it is killed: `node ledger-child.ts DATABASE`. It serves clients and asks a worker,
 * several requests at a time, vouches and takes vouchers, and reports every operation on standard output once the book has acknowledged it.
 */

flushCompileCache(); // who is killed does not do it at the end

const LANES = 4;
const PROMPT_HASH = 'a'.repeat(64);
const worker = testIdentity(900);
const node = await openCreditNode(1, {
  path: process.argv[2],
  clock: { now: Date.now() },
  gifts: { most: 1_000_000, perDay: 1_000_000 },
});

await report({ done: 'open' });
await Promise.all(Array.from({ length: LANES }, (_, lane) => work(lane)));

async function work(lane: number): Promise<never> {
  for (let round = 0; ; round++) {
    const number = 1_000 + lane * 50 + (round % 50);
    if (round % 4 === 3) await ask();
    else if (round % 8 === 5)
      await vouch(number - 1); // whom this lane has just served
    else await serve(number, round % 5 === 4 ? 'part' : 'whole', round % 8 === 6);
  }
}

/** Every client pledges what its prompt and first tokens cost; some break off, and pay by that. Some bring what the worker signs over to them. */
async function serve(clientNumber: number, what: 'part' | 'whole', brings: boolean): Promise<void> {
  const client = testIdentity(clientNumber);
  const requestId = randomBytes(16).toString('hex');
  const vouchers = brings ? [voucherFor(client.id)] : [];
  await node.book.worker.fund({ requestId, client: client.id, host: '203.0.113.7', maxTokens: 512, vouchers });
  const said = { requestId, client: client.id, promptHash: PROMPT_HASH, credits: 2 };
  const sig = client.sign(pledgeBytes({ ...said, worker: node.identity.id }));
  await node.book.worker.keepPledge({ ...said, sig });
  await report({ done: 'pledge', requestId });
  if (what === 'part') {
    await node.book.worker.release({ client: client.id, requestId }, 'CANCELLED', { streamed: 1 });
    await report({ done: 'part', requestId });
    return;
  }
  const work = served({ client: client.id, requestId, servedAt: Date.now() });
  const bill = node.book.worker.bill(work);
  const receipt = { ...bill, clientSig: client.sign(receiptBytes(bill.body)) };
  const { points } = await node.book.worker.settle(receipt);
  await report({ done: 'settle', requestId, points, receipt });
}

/** The whole price: whether it is taken depends on what the worker is owed. */
function voucherFor(client: string): Voucher {
  const serial = randomBytes(16).toString('hex');
  const parties = { by: worker.id, worker: node.identity.id, client };
  const body: VoucherBody = { kind: 'claim', ...parties, credits: 3, serial, expires: Date.now() + 300_000 };
  return { body, sig: worker.sign(voucherBytes(body)) };
}

async function vouch(clientNumber: number): Promise<void> {
  const to = testIdentity(clientNumber).id;
  const voucher = await node.book.vouchers.vouch({ kind: 'claim', worker: to, client: worker.id, credits: 1 });
  if (voucher) await report({ done: 'vouch', voucher });
}

async function ask(): Promise<void> {
  const requestId = randomBytes(16).toString('hex');
  await node.book.client.open({ requestId, worker: worker.id, maxTokens: 256 });
  const pledge = { requestId, worker: worker.id, promptHash: PROMPT_HASH, credits: 2, funds: 'gift' as const };
  await node.book.client.pledge(pledge);
  await report({ done: 'pledge', requestId });
  const work = served({ client: node.identity.id, requestId, servedAt: Date.now() });
  const body = { v: 2 as const, ...work, worker: worker.id, points: 10, cost: 2 };
  const bill = { body, workerSig: worker.sign(receiptBytes(body)) };
  await node.book.client.countersign(bill, observed(work, worker.id, { funds: 'gift' }));
  await report({ done: 'countersign', requestId });
}

import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { receiptBytes } from '../../src-main/credits/receipt.ts';
import { observed, openCreditNode, served, testIdentity } from './credit-nodes.ts';

/*
 * A process that writes a ledger until it is killed: `node ledger-child.ts DATABASE`. It serves clients and asks a worker,
 * several requests at a time, and reports every operation on standard output once the book has acknowledged it.
 */

flushCompileCache(); // who is killed does not do it at the end

const LANES = 4;
const worker = testIdentity(900);
const node = await openCreditNode(1, {
  path: process.argv[2],
  clock: { now: Date.now() },
  standing: () => ({ points: 1_000_000, tier: 'master' }),
});

const acknowledge = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
acknowledge({ done: 'open' });
await Promise.all(Array.from({ length: LANES }, (_, lane) => work(lane)));

async function work(lane: number): Promise<never> {
  for (let round = 0; ; round++) {
    if (round % 4 === 3) await ask();
    else await serve(1_000 + lane * 50 + (round % 50), round % 5 === 4);
  }
}

async function serve(clientNumber: number, fails: boolean): Promise<void> {
  const client = testIdentity(clientNumber);
  const requestId = randomBytes(16).toString('hex');
  await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 512, vouchers: [] });
  acknowledge({ done: 'reserve', requestId });
  if (fails) {
    await node.book.worker.release({ client: client.id, requestId: requestId }, 'ENGINE_CRASHED', 0);
    acknowledge({ done: 'release', requestId });
    return;
  }
  const work = served({ client: client.id, requestId, servedAt: Date.now() });
  const bill = node.book.worker.bill(work);
  const receipt = { ...bill, clientSig: client.sign(receiptBytes(bill.body)) };
  const { points } = await node.book.worker.settle(receipt);
  acknowledge({ done: 'settle', requestId, points, receipt });
}

async function ask(): Promise<void> {
  const requestId = randomBytes(16).toString('hex');
  const reserved = await node.book.client.open({ requestId, worker: worker.id, maxTokens: 256 }).then(
    () => true,
    () => false, // what was earned is spent: serve more first
  );
  if (!reserved) return;
  const work = served({ client: node.identity.id, requestId, servedAt: Date.now() });
  const body = { v: 2 as const, ...work, worker: worker.id, points: 10, cost: 2 };
  const bill = { body, workerSig: worker.sign(receiptBytes(body)) };
  await node.book.client.countersign(bill, observed(work, worker.id));
  acknowledge({ done: 'countersign', requestId });
}

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { receiptBytes } from '../../../../src-main/credits/receipt.ts';
import { balanceOf } from '../../../../src-main/store/ledger.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import {
  type CreditNode,
  DAY,
  NOON,
  nextRequestId,
  openCreditNode,
  served,
  testIdentity,
} from '../../../support/credit-nodes.ts';

/*
 * Random sequences of everything that clients and a worker do, on the real ledger and on a model of a few numbers. The
 * model knows the rules as a person would say them; it has no journal, no reservations table and no projections.
 */

const CLIENTS = [testIdentity(11), testIdentity(12), testIdentity(13)] as const;
const SLOTS = 30;

type Step =
  | { do: 'reserve'; slot: number; client: number; credits: number }
  | { do: 'settle'; slot: number; client: number; credits: number; slow: boolean }
  | { do: 'release'; slot: number; fault: boolean }
  | { do: 'wait'; hours: number };

const slot = fc.nat({ max: SLOTS - 1 });
const client = fc.nat({ max: CLIENTS.length - 1 });
const credits = fc.integer({ min: 1, max: 14 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reserve' as const), slot, client, credits }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('settle' as const), slot, client, credits, slow: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), slot, fault: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }) },
);

interface ModelClient {
  available: number;
  spent: number;
  allowanceAt: number | undefined;
}

class Model {
  now = NOON;
  total = 0;
  fast = 0;
  readonly served: { client: number; day: number }[] = [];
  readonly clients: ModelClient[] = CLIENTS.map(() => ({ available: 0, spent: 0, allowanceAt: undefined }));
  readonly open = new Map<number, { client: number; credits: number }>();
  readonly settled = new Map<number, string>();

  reserve({ slot, client, credits }: Step & { do: 'reserve' }): string {
    if (this.settled.has(slot)) return 'BAD_REQUEST';
    const holder = this.holder(client);
    this.refill(holder);
    if (this.open.has(slot)) return 'BAD_REQUEST';
    if (holder.available < credits) return 'NO_CREDIT';
    holder.available -= credits;
    this.open.set(slot, { client, credits });
    return 'ok';
  }

  settle(step: Step & { do: 'settle' }): string {
    const said = JSON.stringify(step);
    if (this.settled.has(step.slot)) return this.settled.get(step.slot) === said ? 'ok' : 'BAD_REQUEST';
    const open = this.open.get(step.slot);
    if (open && open.client !== step.client) return 'BAD_REQUEST';
    const holder = this.holder(step.client);
    const charged = Math.min(step.credits, (open?.credits ?? 0) + holder.available);
    holder.available += (open?.credits ?? 0) - charged;
    holder.spent += charged;
    this.open.delete(step.slot);
    this.settled.set(step.slot, said);
    this.score(step);
    return 'ok';
  }

  release({ slot, fault }: Step & { do: 'release' }): string {
    const open = this.open.get(slot);
    if (!open) return 'ok';
    this.holder(open.client).available += open.credits;
    this.open.delete(slot);
    if (fault) this.total = Math.max(0, this.total - 1);
    return 'ok';
  }

  private score({ client, slow }: Step & { do: 'settle' }): void {
    const day = Math.floor(this.now / DAY);
    if (this.served.filter((other) => other.client === client && other.day === day).length >= 20) return;
    if (this.served.length === 0) this.total += 5;
    this.served.push({ client, day });
    this.total += slow ? 5 : 10;
    if (!slow && ++this.fast === 10) this.total += 20;
  }

  private holder(client: number): ModelClient {
    const holder = this.clients[client];
    if (!holder) throw new Error('no such client');
    return holder;
  }

  private refill(holder: ModelClient): void {
    if (holder.allowanceAt === undefined) {
      holder.available += 20;
      holder.allowanceAt = this.now;
      return;
    }
    let refilled = false;
    for (let day = Math.floor((this.now - holder.allowanceAt) / DAY); day > 0 && holder.available < 20; day--) {
      holder.available += 10;
      refilled = true;
    }
    if (refilled) holder.allowanceAt = this.now;
  }
}

/** Does a step on the real book; the code of its error, or `ok`. */
async function real(node: CreditNode, ids: string[], step: Exclude<Step, { do: 'wait' }>): Promise<string> {
  const requestId = ids[step.slot] ?? '';
  const { worker } = node.book;
  const done = { reserve: () => reserve(), settle: () => settle(), release: () => release() }[step.do]();
  return await done.then(
    () => 'ok',
    (error: QuarryError) => error.code,
  );

  async function reserve(): Promise<void> {
    const { client, credits } = step as Step & { do: 'reserve' };
    await worker.fund({
      requestId,
      client: CLIENTS[client]?.id ?? '',
      host: '127.0.0.1',
      maxTokens: (credits - 1) * 256,
      vouchers: [],
    });
  }
  async function settle(): Promise<void> {
    const { client, credits, slow } = step as Step & { do: 'settle' };
    const signer = CLIENTS[client] ?? CLIENTS[0];
    const work = served({
      client: signer.id,
      requestId,
      completionTokens: (credits - 1) * 256,
      processingMs: slow ? 9_000 : 100,
      // A receipt is made once; sent again later, it is the same.
      servedAt: node.clock.now,
    });
    const bill = (receipts.get(`${requestId} ${JSON.stringify(step)}`) ?? worker.bill(work)) as ReturnType<
      typeof worker.bill
    >;
    receipts.set(`${requestId} ${JSON.stringify(step)}`, bill);
    await worker.settle({ ...bill, clientSig: signer.sign(receiptBytes(bill.body)) });
  }
  async function release(): Promise<void> {
    const reason = (step as Step & { do: 'release' }).fault ? 'ENGINE_CRASHED' : 'CANCELLED';
    for (const { id: client } of CLIENTS) await worker.release({ client, requestId }, reason, 0);
  }
}
const receipts = new Map<string, unknown>();

it('books like the rules, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 100, size: 'max' }), async (steps) => {
      const node = await openCreditNode(1);
      const model = new Model();
      const ids = Array.from({ length: SLOTS }, nextRequestId);
      for (const step of steps) {
        if (step.do === 'wait') model.now = node.clock.now += step.hours * 3_600_000;
        else expect(await real(node, ids, step)).toBe(expected(model, step));
      }
      await expectSame(node, model);
      expect((await node.book.verify()).problems).toEqual([]);
      await node.close();
    }),
    { numRuns: 50 },
  );
});

function expected(model: Model, step: Exclude<Step, { do: 'wait' }>): string {
  if (step.do === 'reserve') return model.reserve(step);
  return step.do === 'settle' ? model.settle(step) : model.release(step);
}

async function expectSame(node: CreditNode, model: Model): Promise<void> {
  expect((await node.book.summary()).points).toBe(model.total);
  for (const [index, { id }] of CLIENTS.entries()) {
    const { available, spent } = model.clients[index] ?? { available: 0, spent: 0 };
    const open = [...model.open.values()].filter(({ client }) => client === index);
    expect(await balanceOf(node.db, `client:${id}:available`)).toBe(available);
    expect(await balanceOf(node.db, `client:${id}:spent`)).toBe(spent);
    expect(await balanceOf(node.db, `client:${id}:reserved`)).toBe(open.reduce((sum, { credits }) => sum + credits, 0));
  }
}

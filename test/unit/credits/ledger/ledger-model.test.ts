import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openCreditBook } from '../../../../src-main/credits/ledger/credit-book.ts';
import { receiptBytes } from '../../../../src-main/credits/receipt.ts';
import { verify } from '../../../../src-main/mesh/transport/identity.ts';
import { balanceOf } from '../../../../src-main/store/credits/ledger.ts';
import { readCheckpoint } from '../../../../src-main/store/credits/proofs.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import {
  type CreditNode,
  DAY,
  NOON,
  nextRequestId,
  openCreditNode,
  oweTo,
  served,
  testIdentity,
} from '../../../support/credit-nodes.ts';
import { testLog } from '../../../support/mesh-node.ts';

/*
 * Random sequences of everything that clients and a worker do, on the real ledger and on a model of a few numbers. The
 * model knows the rules as a person would say them; it has no journal, no table and no projections.
 */

const CLIENTS = [testIdentity(11), testIdentity(12), testIdentity(13)] as const;
const SLOTS = 30;
const HOST = '203.0.113.7';
const RULE = { most: 20, perDay: 10 };

type Step =
  | { do: 'fund'; slot: number; client: number; credits: number }
  | { do: 'settle'; slot: number; client: number; credits: number; slow: boolean }
  | { do: 'release'; slot: number; fault: boolean }
  /** The client serves this node, which pays for it. */
  | { do: 'owe'; client: number; credits: number }
  | { do: 'restart' }
  | { do: 'wait'; hours: number };
type Booked = Exclude<Step, { do: 'wait' | 'restart' }>;

const slot = fc.nat({ max: SLOTS - 1 });
const client = fc.nat({ max: CLIENTS.length - 1 });
const credits = fc.integer({ min: 1, max: 14 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('fund' as const), slot, client, credits }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('settle' as const), slot, client, credits, slow: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), slot, fault: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('owe' as const), client, credits }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }) },
);

interface ModelClient {
  claim: number;
  had: number;
  owes: number;
}

class Model {
  now = NOON;
  total = 0;
  fast = 0;
  given = 0;
  level = { credits: 0, at: NOON };
  readonly served: { client: number; day: number }[] = [];
  readonly clients: ModelClient[] = CLIENTS.map(() => ({ claim: 0, had: 0, owes: 0 }));
  readonly open = new Map<number, { client: number; credits: number; byClaim: boolean }>();
  readonly settled = new Map<number, string>();

  fund({ slot, client, credits }: Step & { do: 'fund' }): string {
    if (this.settled.has(slot) || this.open.has(slot)) return 'BAD_REQUEST';
    const byClaim = this.free(client) >= credits;
    if (!byClaim && credits > this.room()) return 'NO_CREDIT';
    this.open.set(slot, { client, credits, byClaim });
    return 'ok';
  }

  settle(step: Step & { do: 'settle' }): string {
    const said = JSON.stringify(step);
    if (this.settled.has(step.slot)) return this.settled.get(step.slot) === said ? 'ok' : 'BAD_REQUEST';
    const open = this.open.get(step.slot);
    if (open && open.client !== step.client) return 'BAD_REQUEST';
    const holder = this.holder(step.client);
    const charged = Math.min(step.credits, open?.credits ?? step.credits);
    this.open.delete(step.slot);
    if (open ? open.byClaim : this.free(step.client) >= charged) holder.claim -= charged;
    else this.given += charged;
    if (open && !open.byClaim) this.level = { credits: this.levelNow() + charged, at: this.now };
    holder.had += charged;
    holder.owes += charged;
    this.settled.set(step.slot, said);
    this.score(step);
    return 'ok';
  }

  release({ slot, fault }: Step & { do: 'release' }): string {
    if (!this.open.delete(slot)) return 'ok';
    if (fault) this.total = Math.max(0, this.total - 1);
    return 'ok';
  }

  owe({ client, credits }: Step & { do: 'owe' }): string {
    this.holder(client).claim += credits;
    return 'ok';
  }

  holder(client: number): ModelClient {
    const holder = this.clients[client];
    if (!holder) throw new Error('no such client');
    return holder;
  }

  /** Credits that the network may have. */
  room(): number {
    return RULE.most - this.levelNow() - this.held(({ byClaim }) => !byClaim);
  }

  private free(client: number): number {
    return this.holder(client).claim - this.held((open) => open.byClaim && open.client === client);
  }

  private held(which: (open: { client: number; byClaim: boolean }) => boolean): number {
    return [...this.open.values()].filter(which).reduce((sum, { credits }) => sum + credits, 0);
  }

  private levelNow(): number {
    return Math.max(0, this.level.credits - ((this.now - this.level.at) / DAY) * RULE.perDay);
  }

  private score({ client, slow }: Step & { do: 'settle' }): void {
    const day = Math.floor(this.now / DAY);
    if (this.served.filter((other) => other.client === client && other.day === day).length >= 20) return;
    if (this.served.length === 0) this.total += 5;
    this.served.push({ client, day });
    this.total += slow ? 5 : 10;
    if (!slow && ++this.fast === 10) this.total += 20;
  }
}

/** Does a step on the real book; the code of its error, or `ok`. */
async function real(node: CreditNode, ids: string[], step: Booked): Promise<string> {
  const requestId = step.do === 'owe' ? '' : (ids[step.slot] ?? '');
  const { worker } = node.book;
  const done = { fund: () => fund(), settle: () => settle(), release: () => release(), owe: () => owe() }[step.do]();
  return await done.then(
    () => 'ok',
    (error: QuarryError) => error.code,
  );

  async function fund(): Promise<void> {
    const { client, credits } = step as Step & { do: 'fund' };
    const id = CLIENTS[client]?.id ?? '';
    await worker.fund({ requestId, client: id, host: HOST, maxTokens: (credits - 1) * 256, vouchers: [] });
  }
  async function owe(): Promise<void> {
    const { client, credits } = step as Step & { do: 'owe' };
    await oweTo(node, CLIENTS[client] ?? CLIENTS[0], credits);
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
    for (const { id: client } of CLIENTS) await worker.release({ client, requestId }, reason);
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
        else if (step.do === 'restart') {
          expect((await node.book.verify()).problems).toEqual([]); // the next proof goes on from here
          await node.book.close();
          node.book = await openCreditBook({ ...node, verify, now: () => node.clock.now, log: testLog });
          model.open.clear();
        } else expect([step, await real(node, ids, step)]).toEqual([step, expected(model, step)]);
      }
      await expectSame(node, model);
      await expectProven(node);
      await node.close();
    }),
    { numRuns: 50 },
  );
});

/** A proof that goes on comes to what reading everything gives, and leaves the same behind. */
async function expectProven({ book, db }: CreditNode): Promise<void> {
  const reached = async () => ({ ...JSON.parse((await readCheckpoint(db))?.body ?? '{}'), fullAt: 0 });
  const { provenBefore: _, ...report } = await book.verify();
  const byGoingOn = [report, await reached()];
  expect(report.problems).toEqual([]);
  expect([await book.verify({ full: true }), await reached()]).toEqual(byGoingOn);
}

function expected(model: Model, step: Booked): string {
  if (step.do === 'fund') return model.fund(step);
  if (step.do === 'owe') return model.owe(step);
  return step.do === 'settle' ? model.settle(step) : model.release(step);
}

async function expectSame(node: CreditNode, model: Model): Promise<void> {
  const { points, available, gifts } = await node.book.summary();
  const owed = model.clients.reduce((sum, { owes }) => sum + owes, 0);
  expect({ points, available, given: gifts.given }).toEqual({
    points: model.total,
    available: owed,
    given: model.given,
  });
  for (const [index, { id }] of CLIENTS.entries()) {
    const { claim, had, owes } = model.holder(index);
    const of = (account: string) => balanceOf(node.db, account);
    const kept = { claim: await of(`claim:${id}`), had: await of(`client:${id}:spent`), owes: await of(`owes:${id}`) };
    expect(kept).toEqual({ claim, had, owes });
    const { owed, gift } = node.book.worker.terms(id, HOST);
    expect({ owed, gift }).toEqual({ owed: claim, gift: Math.max(0, Math.floor(model.room())) });
  }
}

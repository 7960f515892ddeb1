import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import type { Funding } from '../../../../src-main/credits/credits.ts';
import { pledgeBytes } from '../../../../src-main/credits/pledge.ts';
import { costOf } from '../../../../src-main/credits/price.ts';
import { receiptBytes } from '../../../../src-main/credits/receipt.ts';
import { VOUCHER_MS } from '../../../../src-main/credits/standing/vouchers.ts';
import { type Voucher, type VoucherBody, voucherBytes } from '../../../../src-main/credits/voucher.ts';
import type { Identity } from '../../../../src-main/mesh/transport/identity.ts';
import { balancesUnder } from '../../../../src-main/store/credits/ledger.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import {
  type CreditNode,
  NOON,
  nextRequestId,
  observed,
  openCreditNode,
  oweTo,
  served,
  serveTo,
  testIdentity,
} from '../../../support/credit-nodes.ts';
import { ROUNDS } from '../../../support/rounds.ts';

/*
 * Honest nodes with their real books on real databases, which die and start again at any moment, and keys of an attacker that ask, serve,
 * break off, sign over what they are owed and what they are not, and bring whatever voucher was ever signed, as often as they like.
 * What came of it is read from the ledgers alone.
 */

const HONEST = 3;
const ATTACKERS = [testIdentity(31), testIdentity(32), testIdentity(33)] as const;
const NETWORKS = ['203.0.113.7', '198.51.100.7'] as const;
/** Nothing is forgiven: so the whole run's gifts can be held against it. */
const GIFTS = { most: 6, perDay: 0 };
const PROMPT_HASH = 'a'.repeat(64);

const step = fc.record({
  do: fc.constantFrom('serve', 'serve', 'ask', 'ask', 'ask', 'stream', 'pledge', 'end', 'end', 'vouch', 'forge', 'die'),
  node: fc.nat(HONEST - 1),
  /** Honest nodes first, then the attacker's keys. */
  who: fc.nat(HONEST + ATTACKERS.length - 1),
  by: fc.nat(HONEST + ATTACKERS.length - 1),
  credits: fc.integer({ min: 1, max: 5 }),
  kind: fc.constantFrom('claim' as const, 'claim' as const, 'word' as const),
  how: fc.constantFrom(
    ...(['SIGNED', 'SIGNED', 'CANCELLED', 'CANCELLED', 'NO_CREDIT', 'UNSIGNED'] as const),
    'ENGINE_CRASHED' as const,
  ),
  pick: fc.nat(1_000),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Request {
  worker: CreditNode;
  client: Identity;
  /** The client's books, if it is honest. */
  books: CreditNode | undefined;
  requestId: string;
  funding: Funding;
  /** Tokens that were sent; undefined as long as it waits. */
  streamed: number | undefined;
  pledged: number;
}

/** What a client of a worker has had at least for claims, and what it was sent at most, both at their price. */
interface Had {
  drawn: number;
  sent: number;
}

const nodes: CreditNode[] = [];
async function closeAll(): Promise<void> {
  for (const node of nodes.splice(0)) await node.close();
}
afterEach(closeAll);

class Mesh {
  readonly #vouchers: Voucher[] = [];
  #requests: Request[] = [];
  readonly #had = new Map<string, Had>();

  /** Refusals are what a node may answer; anything else is a fault. */
  async take(one: Step): Promise<void> {
    try {
      await this.#take(one);
    } catch (error) {
      if (!(error instanceof QuarryError && ['NO_CREDIT', 'BAD_REQUEST'].includes(error.code))) throw error;
    }
  }

  async #take(one: Step): Promise<void> {
    const node = nodes[one.node] as CreditNode;
    const who = this.#identity(one.who);
    if (one.do === 'die') await this.#die(node);
    else if (one.do === 'stream') this.#stream(this.#pick(one), one.credits);
    else if (one.do === 'pledge') await this.#pledge(this.#pick(one), one.credits);
    else if (one.do === 'end') await this.#end(this.#pick(one), one);
    else if (one.do === 'forge') this.#forge(one);
    else if (who.id === node.identity.id) return;
    else if (one.do === 'serve') await this.#serve(node, who, one.credits);
    else if (one.do === 'ask') await this.#ask(node, who, one);
    else await this.#vouch(node, who, one);
  }

  /** An honest one notes what it has served, too. */
  async #serve(node: CreditNode, by: Identity, credits: number): Promise<void> {
    await oweTo(node, by, credits);
    const books = nodes.find(({ identity }) => identity.id === by.id);
    if (books) await serveTo(books, node.identity, credits);
  }

  #identity(index: number): Identity {
    return (nodes[index]?.identity ?? ATTACKERS[index - HONEST]) as Identity;
  }

  #pick({ pick }: Step): Request | undefined {
    return this.#requests[pick % Math.max(1, this.#requests.length)];
  }

  /** Brings up to three vouchers, whatever they say. */
  async #ask(worker: CreditNode, client: Identity, { credits, pick }: Step): Promise<void> {
    const requestId = nextRequestId();
    const maxTokens = (credits - 1) * 256;
    const books = nodes.find(({ identity }) => identity.id === client.id);
    const mine = this.#vouchers.filter(({ body }) => body.client === client.id && body.worker === worker.identity.id);
    const brought = pick % 5 === 0 ? this.#vouchers : mine;
    const vouchers = brought.slice(pick % Math.max(1, brought.length)).slice(0, 3);
    const host = NETWORKS[pick % NETWORKS.length] as string;
    const asked = { requestId, client: client.id, host, maxTokens, vouchers };
    const [funding] = await Promise.all([
      worker.book.worker.fund(asked),
      books?.book.client.open({ requestId, worker: worker.identity.id, maxTokens }),
    ]);
    this.#requests.push({ worker, client, books, requestId, funding, streamed: undefined, pledged: 0 });
  }

  had(worker: CreditNode, client: string): Had {
    const key = `${worker.identity.id} ${client}`;
    const had = this.#had.get(key) ?? { drawn: 0, sent: 0 };
    this.#had.set(key, had);
    return had;
  }

  /** The worker sends what its window lets it: no further than one credit ahead of what is pledged. */
  #stream(request: Request | undefined, credits: number): void {
    if (!request) return;
    const most = (Math.min(request.pledged + 1, request.funding.credits, credits) - 1) * 256;
    request.streamed = Math.max(request.streamed ?? 0, most);
  }

  /** No more than what was sent costs: more is an offence. */
  async #pledge(request: Request | undefined, wanted: number): Promise<void> {
    if (!request) return;
    const credits = Math.min(wanted, costOf({ completionTokens: request.streamed ?? 0 }));
    request.pledged = Math.max(request.pledged, credits);
    const { worker, client, books, requestId, funding } = request;
    const said = { requestId, promptHash: PROMPT_HASH, credits };
    const bytes = pledgeBytes({ ...said, worker: worker.identity.id, client: client.id });
    const own = { ...said, worker: worker.identity.id, funds: funding.funds };
    const sig = books ? await books.book.client.pledge(own) : client.sign(bytes);
    await worker.book.worker.keepPledge({ ...said, client: client.id, sig });
  }

  async #end(request: Request | undefined, { credits, how }: Step): Promise<void> {
    if (!request) return;
    this.#requests = this.#requests.filter((other) => other !== request);
    const { worker, client, books, requestId, funding, streamed } = request;
    const release = { client: client.id, requestId };
    if (how !== 'SIGNED') {
      const asked = streamed === undefined ? undefined : { streamed };
      if (asked && how === 'UNSIGNED')
        worker.book.worker.bill(served({ client: client.id, requestId, completionTokens: asked.streamed }));
      const [code, told] = how === 'UNSIGNED' ? (['DEADLINE', undefined] as const) : [how, asked];
      await worker.book.worker.release(release, code, told);
      const by = code === 'ENGINE_CRASHED' ? 'worker' : 'client';
      await books?.book.client.release(requestId, { by, code, sent: streamed });
      if (how !== 'ENGINE_CRASHED') this.#note(request, streamed);
      return;
    }
    const completionTokens = Math.max(streamed ?? 0, (Math.min(credits, funding.credits) - 1) * 256);
    this.#note(request, completionTokens);
    const work = served({ client: client.id, requestId, completionTokens });
    const bill = worker.book.worker.bill(work);
    const saw = observed(work, worker.identity.id, { funds: funding.funds });
    const receipt = books
      ? await books.book.client.countersign(bill, saw)
      : { ...bill, clientSig: client.sign(receiptBytes(bill.body)) };
    // One that sends its receipt twice, while the worker gives the request up, is paid by once all the same.
    const settle = () => worker.book.worker.settle(receipt);
    await Promise.all([
      settle(),
      worker.book.worker.release(release, 'CANCELLED', { streamed: completionTokens }),
      settle(),
    ]);
  }

  #note({ worker, client, funding }: Request, tokens: number | undefined): void {
    if (tokens === undefined) return;
    const had = this.had(worker, client.id);
    had.sent += costOf({ completionTokens: tokens });
    if (funding.funds === 'claim') had.drawn += Math.min(costOf({ completionTokens: tokens }), funding.credits);
  }

  async #vouch(node: CreditNode, client: Identity, { by, kind, credits }: Step): Promise<void> {
    const worker = this.#identity(by).id;
    const voucher = await node.book.vouchers.vouch({ kind, worker, client: client.id, credits });
    if (!voucher) return;
    this.#vouchers.push(voucher);
    const books = nodes.find(({ identity }) => identity.id === client.id);
    if (!books || kind !== 'claim') return;
    await books.book.client.vouched(node.identity.id, worker, credits);
    this.had(books, worker).sent += credits; // who vouches owed it that, and says that the other does now
  }

  /** An attacker's key signs something over, to whomever it likes. */
  #forge({ node, who, by, kind, credits }: Step): void {
    const signer = ATTACKERS[by % ATTACKERS.length] as Identity;
    const parties = { by: signer.id, worker: this.#identity(node).id, client: this.#identity(who).id };
    const serial = randomBytes(16).toString('hex');
    const body: VoucherBody = { kind, ...parties, credits: credits * 3, serial, expires: NOON + VOUCHER_MS };
    this.#vouchers.push({ body, sig: signer.sign(voucherBytes(body)) });
  }

  /** What is not written down is not known any more. */
  async #die(node: CreditNode): Promise<void> {
    for (const { worker, client, streamed } of this.#requests)
      if (worker === node && streamed) this.had(worker, client.id).sent += costOf({ completionTokens: streamed });
    this.#requests = this.#requests.filter(({ worker, books }) => worker !== node && books !== node);
    await node.die();
  }
}

/** What a key has had here by claim and as a gift, and has served here: by the entries that move it. */
async function dealings({ db }: CreditNode, id: string) {
  const postings = await db
    .selectFrom('postings')
    .innerJoin('ledger_entries', 'ledger_entries.seq', 'postings.entry')
    .select(['kind', 'account', 'amount', 'entry'])
    .execute();
  const had = postings.filter(({ account }) => account === `client:${id}:spent`);
  const sum = (amounts: { amount: number }[]) => amounts.reduce((total, { amount }) => total + amount, 0);
  const gifts = new Set(postings.flatMap(({ account, entry }) => (account === 'issue:gift' ? [entry] : [])));
  return {
    byClaim: sum(had.filter(({ entry }) => !gifts.has(entry))),
    asGift: sum(had.filter(({ entry }) => gifts.has(entry))),
    served: 0 - sum(postings.filter(({ account }) => account === `issue:service:${id}`)),
  };
}

it('lets nobody have more for claims than it has served, whatever is asked, signed, brought again, broken off, or dies', {
  timeout: 600_000,
}, async () => {
  const runs = 40 * ROUNDS;
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
        for (let number = 1; number <= HONEST; number++) nodes.push(await openCreditNode(number, { gifts: GIFTS }));
        const mesh = new Mesh();
        for (const one of steps) await mesh.take(one);
        let [had, hasServed] = [0, 0];
        for (const node of nodes) {
          let given = 0;
          for (const { id } of ATTACKERS) {
            const { byClaim, asGift, served } = await dealings(node, id);
            // What was sent is used up, signed for or not; and nobody is believed to owe more than that.
            const { drawn, sent } = mesh.had(node, id);
            expect(byClaim).toBeGreaterThanOrEqual(drawn);
            expect(node.book.client.owedBy(id)).toBeLessThanOrEqual(sent);
            had += byClaim;
            hasServed += served;
            given += asGift;
          }
          expect(given).toBeLessThanOrEqual(GIFTS.most * NETWORKS.length);
          for (const [peer, claim] of await balancesUnder(node.db, 'claim:'))
            expect({ peer, owed: node.book.worker.terms(peer, NETWORKS[0]).owed }).toEqual({ peer, owed: claim });
          for (const [peer, owes] of await balancesUnder(node.db, 'owes:'))
            expect({ peer, owes: node.book.client.owedBy(peer) }).toEqual({ peer, owes });
          expect((await node.book.verify()).problems).toEqual([]);
        }
        expect(had).toBeLessThanOrEqual(hasServed);
      })
      .afterEach(closeAll),
    { numRuns: runs },
  );
});

/** Who moves claims, from where to where. */
const hop = fc.record({
  from: fc.nat(HONEST - 1),
  to: fc.nat(HONEST - 1),
  who: fc.nat(ATTACKERS.length - 1),
  credits: fc.integer({ min: 1, max: 8 }),
  /** More is asked for than the voucher is good for. */
  short: fc.boolean(),
});

it('lets keys that only pass vouchers on use up no more of what honest nodes owe each other than the keys lose', {
  timeout: 600_000,
}, async () => {
  const runs = 20 * ROUNDS;
  await fc.assert(
    fc
      .asyncProperty(fc.array(hop, { maxLength: 60, size: 'max' }), async (hops) => {
        for (let number = 1; number <= HONEST; number++) nodes.push(await openCreditNode(number, { gifts: GIFTS }));
        const between = async (ids: readonly string[]) => {
          let sum = 0;
          for (const { db } of nodes)
            for (const [peer, claim] of await balancesUnder(db, 'claim:')) if (ids.includes(peer)) sum += claim;
          return sum;
        };
        for (const node of nodes)
          for (const other of nodes) if (other !== node) await serveTo(node, other.identity, 30);
        for (const [index, node] of nodes.entries()) {
          for (const other of nodes) if (other !== node) await oweTo(node, other.identity, 30);
          await oweTo(node, ATTACKERS[index % ATTACKERS.length] as Identity, 4);
        }
        const honest = nodes.map(({ identity }) => identity.id);
        const before = await between(honest);
        for (const { from, to, who, credits, short } of hops) {
          const [bank, worker] = [nodes[from] as CreditNode, nodes[to] as CreditNode];
          const client = (ATTACKERS[who] as Identity).id;
          const wish = { kind: 'claim' as const, worker: worker.identity.id, client, credits };
          const voucher = await bank.book.vouchers.vouch(wish);
          if (!voucher) continue;
          const requestId = nextRequestId();
          const asked = { requestId, client, host: NETWORKS[0], maxTokens: (credits - (short ? 0 : 1)) * 256 };
          await worker.book.worker.fund({ ...asked, vouchers: [voucher] }).catch((error: unknown) => {
            if (QuarryError.from(error).code !== 'NO_CREDIT') throw error;
          });
          await worker.book.worker.release({ client, requestId }, 'CANCELLED');
        }
        let lost = 0;
        for (const { db } of nodes)
          for (const [peer, credits] of await balancesUnder(db, 'vouched:'))
            if (!honest.includes(peer)) lost += credits;
        expect(before - (await between(honest))).toBeLessThanOrEqual(lost);
        expect(lost).toBeLessThanOrEqual(HONEST * 4); // all that the keys have served
        for (const node of nodes) expect((await node.book.verify()).problems).toEqual([]);
      })
      .afterEach(closeAll),
    { numRuns: runs },
  );
});

/** A node in a process of its own that serves and asks: an honest one, or one of a gang that signs whatever helps it. */
import { createHash, randomBytes } from 'node:crypto';
import { type Voucher, type VoucherBody, voucherBytes } from '../../src-main/credits/voucher.ts';
import { type Identity, identityFromSeed } from '../../src-main/mesh/transport/identity.ts';
import type { MeshName } from '../../src-main/mesh/transport/topic.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { askWith, openTradingNode, PRICE, type TradingNode } from './trading-node.ts';

export interface TradingOrder {
  bootstrap: { host: string; port: number }[];
  mesh: MeshName;
  /** How many there are, and its number; those below `gang` are hostile. */
  nodes: number;
  number: number;
  gang: number;
}

/** What a node has seen of the others. */
export interface TradingReport {
  /** Nodes that it knows the terms of. */
  known: number;
  /** Credits that hostile nodes have served it, and have had of it for claims and by gift. */
  servedByGang: number;
  hadForClaims: number;
  hadByGift: number;
  /** Requests of it while it had served no less than it had, and those of them that nobody served. */
  asked: number;
  refused: number;
  /** Errors of another kind. */
  failed: string[];
  ledger: boolean;
}

export const tradingIdentity = (number: number): Identity =>
  identityFromSeed(createHash('sha256').update(`trading node ${number}`).digest());

class TradingChild {
  readonly #node: TradingNode;
  readonly #gang: Identity[];
  readonly #isHostile: boolean;
  readonly #used: Voucher[] = [];
  readonly #funds = new Map<string, string>();
  readonly #seen = { servedByGang: 0, hadForClaims: 0, hadByGift: 0, asked: 0, refused: 0, failed: [] as string[] };
  #served = 0;
  #had = 0;

  constructor(node: TradingNode, { number, gang }: TradingOrder) {
    this.#node = node;
    this.#isHostile = number < gang;
    this.#gang = Array.from({ length: gang }, (_, other) => tradingIdentity(other));
    this.#watch();
  }

  async ask(times: number): Promise<void> {
    for (let time = 0; time < times; time++) await (this.#isHostile ? this.#steal() : this.#askHonestly());
  }

  async report(): Promise<TradingReport> {
    const known = this.#node.client.workers().filter(({ status, terms }) => status && terms).length;
    const { ok } = await this.#node.book.verify();
    return { known, ...this.#seen, ledger: ok };
  }

  #isGang(id: string): boolean {
    return this.#gang.some((one) => one.id === id);
  }

  /** Counts by what passes through the books' doors, not by what they write. */
  #watch(): void {
    const { worker, client } = this.#node.book;
    const [fund, bill, countersign] = [worker.fund, worker.bill, client.countersign].map((each, index) =>
      each.bind(index < 2 ? worker : client),
    ) as [typeof worker.fund, typeof worker.bill, typeof client.countersign];
    worker.fund = async (request) => {
      const funding = await fund(request);
      this.#funds.set(`${request.client} ${request.requestId}`, funding.funds);
      return funding;
    };
    worker.bill = (served) => {
      const signed = bill(served);
      const { cost } = signed.body;
      this.#served += cost;
      const byClaim = this.#funds.get(`${served.client} ${served.requestId}`) === 'claim';
      if (this.#isGang(served.client)) this.#seen[byClaim ? 'hadForClaims' : 'hadByGift'] += cost;
      return signed;
    };
    client.countersign = async (signed, observed) => {
      const receipt = await countersign(signed, observed);
      const { worker: by, cost } = receipt.body;
      this.#had += cost;
      if (this.#isGang(by)) this.#seen.servedByGang += cost;
      return receipt;
    };
    // A hostile node vouches for everybody, whatever is owed.
    if (this.#isHostile) this.#node.book.vouchers.vouch = async (wish) => this.#sign(this.#node.identity, wish);
  }

  async #askHonestly(): Promise<void> {
    const earner = this.#served > 0 && this.#served >= this.#had;
    if (earner) this.#seen.asked++;
    try {
      await this.#node.ask();
    } catch (error) {
      const { code } = QuarryError.from(error);
      if (code !== 'NO_CREDIT') this.#seen.failed.push(code);
      if (earner) this.#seen.refused++;
    }
  }

  /** Every friend signs its claim over, whatever it is, and what was signed is brought twice. */
  async #steal(): Promise<void> {
    const { network, identity } = this.#node;
    const honest = [...network.peers.keys()].filter((id) => !this.#isGang(id));
    const worker = honest[Math.floor(Math.random() * honest.length)];
    if (!worker) return;
    const friends = this.#gang.filter(({ id }) => id !== identity.id);
    const old = this.#used.filter(({ body }) => body.worker === worker).slice(-1);
    const wish = { kind: 'claim', worker, client: identity.id, credits: PRICE } as const;
    const fresh = friends.slice(0, 3 - old.length).map((friend) => this.#sign(friend, wish));
    this.#used.push(...fresh);
    await askWith(this.#node, worker, [...old, ...fresh], Math.random() < 0.5).catch((error: unknown) => {
      const { code } = QuarryError.from(error);
      if (code !== 'NO_CREDIT') this.#seen.failed.push(code);
    });
  }

  #sign(by: Identity, wish: Pick<VoucherBody, 'kind' | 'worker' | 'client' | 'credits'>): Voucher {
    const serial = randomBytes(16).toString('hex');
    const body = { ...wish, by: by.id, serial, expires: Date.now() + 600_000 };
    return { body, sig: by.sign(voucherBytes(body)) };
  }
}

if (process.send) {
  process.once('disconnect', () => process.exit());
  process.once('message', async (order: TradingOrder) => {
    const { bootstrap, mesh, number } = order;
    const identity = tradingIdentity(number);
    const node = await openTradingNode({ testnet: { bootstrap }, mesh, name: 'm', identity });
    const others = Array.from({ length: order.nodes }, (_, other) => tradingIdentity(other).id);
    // Who knows some others looks for more after two minutes, and gives one up for ten that did not answer three times.
    const meet = () => {
      for (const other of others)
        if (other !== identity.id && !node.network.peers.has(other)) node.network.joinPeer(other);
    };
    meet();
    const child = new TradingChild(node, order);
    process.on('message', async ({ ask = 0 }: { ask?: number }) => {
      meet();
      await child.ask(ask);
      process.send?.(await child.report());
    });
    process.send?.('ready');
  });
}

import type { Logger } from 'pino';
import type { ChainDraft, SentCall } from '../../../../../../src-preload/contract/chain.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import type { BackOff } from '../../../../../base/back-off.ts';
import { OngoingWork } from '../../../../../base/ongoing-work.ts';
import { ignoring } from '../../../../../base/swallowed.ts';
import type { Debt, OfferRow, RepaymentRow } from '../../../../../store/market/market-order-tables.ts';
import type { MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import type { OfferView } from '../../wire.ts';
import { refused } from '../market-problems.ts';
import { patiently } from '../patience.ts';
import type { OpenMarket, Payments } from '../ports.ts';
import type { Bill, SafePayment } from '../safe-payment.ts';
import { owedOf } from './offer-view.ts';
import type { Offers } from './offers.ts';

export interface RepaymentsOptions {
  store: MarketOrderStore;
  offers: Offers;
  marketOf: (row: Pick<OfferRow, 'url' | 'market' | 'wallet' | 'hotkey'>) => Promise<OpenMarket>;
  payments: Payments;
  safe: SafePayment;
  log: Logger;
  now?: () => number;
  between?: BackOff;
}

/** Pays back what buyers paid too late: a draft, a person's word, and the market is told once it is final. Goes on after a kill. */
export class Repayments {
  readonly #options: RepaymentsOptions;
  /** By {@link nameOf} of a debt. */
  readonly #ongoing: OngoingWork;

  constructor(options: RepaymentsOptions) {
    this.#options = options;
    this.#ongoing = new OngoingWork({
      what: 'debt',
      work: (name, signal) => this.#settle(debtOf(name), signal),
      log: options.log,
    });
  }

  async open(): Promise<void> {
    for (const debt of await this.#options.store.openRepayments()) this.#ongoing.start(nameOf(debt));
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#ongoing.close();
  }

  /**
   * The payment of what an offer owes. A market may say that something is owed; that it was paid is looked for on the chain.
   * @throws BAD_REQUEST where nothing is owed for that purchase, nobody paid it, or it was paid back already
   */
  async draft(id: string, purchase: string): Promise<ChainDraft> {
    const { store, offers, marketOf, payments, safe } = this.#options;
    const row = await offers.row(id);
    const debt = owedOf(row).find((one) => one.purchase === purchase);
    if (!debt) throw refused(say('trade.nothingOwed'), 'purchase');
    const { client } = await marketOf(row);
    const { chain } = await client.stats(this.#ongoing.signal);
    if ((await payments.genesis()) !== chain) throw refused(say('trade.otherChain'), 'bittensor.network');
    const kept = await this.#checked(row, debt);
    await store.keepRepayment(kept);
    return safe.draft(this.#bill(kept, row, chain));
  }

  /** @throws BAD_REQUEST where it is another debt than was kept, or than the chain tells of */
  async #checked(row: OfferRow, { purchase, to, amount, paidIn }: OfferView['owed'][number]): Promise<RepaymentRow> {
    const { store, payments, now = Date.now } = this.#options;
    const { block: paid_block, extrinsic: paid_extrinsic } = paidIn;
    const known = await store.repayment({ offer: row.id, purchase });
    const ofPayment = await store.repaymentOf(paid_block, paid_extrinsic);
    const told = { pays_to: to, amount, paid_block, paid_extrinsic };
    const isKnown = (name: keyof typeof told) => known?.[name] == null || known[name] === told[name];
    const isOther = ofPayment && (ofPayment.offer !== row.id || ofPayment.purchase !== purchase);
    if (isOther || !isKnown('pays_to') || !isKnown('amount') || !isKnown('paid_extrinsic') || amount !== row.price) {
      throw refused(say('trade.otherDebt'), 'purchase');
    }
    await payments.arrived({ from: to, to: row.seller, amount, ...paidIn, after: 0 });
    const fresh = { offer: row.id, purchase, pays_from: row.seller, since: now(), call: null, settled: 0 };
    return { ...fresh, ...known, ...told };
  }

  #bill(row: RepaymentRow, { wallet, market, offer_id }: OfferRow, genesis: string): Bill {
    const { store } = this.#options;
    const { pays_from: from, pays_to: to, amount, since } = row;
    const order = `market ${market}: offer ${offer_id}: back ${row.purchase}`;
    return {
      wanted: { wallet, to, amount },
      trace: { genesis, from, to, amount, since, order },
      check: async () => {
        if ((await store.repayment(row))?.call != null) throw refused(say('trade.paidAlready'));
      },
      begin: async () => {},
      undo: async () => {},
      paidBy: (call) => store.keepRepayment({ ...row, call: call.id }),
      signed: () => this.#ongoing.start(nameOf(row)),
    };
  }

  /** Once it is final, the market is told. */
  async #settle({ offer: own, purchase }: Debt, signal: AbortSignal): Promise<void> {
    const { store, payments, offers, marketOf, safe, between } = this.#options;
    const kept = await store.repayment({ offer: own, purchase });
    const row = kept && (await offers.row(own).catch(ignoring('it was forgotten')));
    if (!kept || !row) return;
    const genesis = kept.call === null ? await payments.genesis() : '';
    const id = kept.call ?? (await safe.find(this.#bill(kept, row, genesis)))?.id;
    if (id === undefined) return; // nobody has said yes yet
    let last: SentCall | undefined;
    for await (const call of payments.watch(id, signal)) last = call;
    if (last?.state === 'failed' || last?.state === 'expired') await store.keepRepayment({ ...kept, call: null });
    if (last?.state !== 'done' || last.block === null || row.offer_id === null) return;
    const paid = { block: last.block, extrinsic: last.hash };
    const { client } = await marketOf(row);
    const { offer_id: offer } = row;
    const told = await patiently(() => client.settle(offer, purchase, paid, signal), signal, {
      ...(between && { between }),
    });
    await store.keepRepayment({ ...kept, call: id, settled: 1 });
    await offers.keep(row.id, told);
  }
}

const nameOf = ({ offer, purchase }: Debt): string => JSON.stringify([offer, purchase]);

function debtOf(name: string): Debt {
  const [offer, purchase] = JSON.parse(name) as [string, string];
  return { offer, purchase };
}

import { join } from 'node:path';
import type { Logger } from 'pino';
import type { SentCall } from '../../../src-preload/contract/chain.ts';
import type { OwnPurchase } from '../../../src-preload/contract/trade.ts';
import { Changes } from '../../base/changes.ts';
import { closeAll } from '../../base/close-all.ts';
import { newSigner } from '../../bittensor/new-signer.ts';
import { type Db, openDatabase } from '../../store/database.ts';
import { MarketOrderStore } from '../../store/market/market-orders.ts';
import { MarketDesk } from '../../subnets/omega/market/client/desk/market-desk.ts';
import type { OfferedRecordings, Sending } from '../../subnets/omega/market/client/ports.ts';
import type { SimulatedChain } from './simulated-chain.ts';
import { SimulatedDesk } from './simulated-desk.ts';

/** Nobody waits long for a demonstration. */
const BETWEEN = { firstMs: 100, longestMs: 1_000 };
const LOOKS = { firstMs: 250, longestMs: 1_000 };
/** TAO. */
const DAILY_CAP = 1;

/** What is sold in the demonstration is in no library. */
export const NO_RECORDINGS: OfferedRecordings = {
  refuseUnlessReady: async () => {},
  offer: async () => {},
  follow: async () => {},
  offered: async () => [],
};

export interface ParticipantOptions {
  name: string;
  chain: SimulatedChain;
  /** Where the market is, and its key. */
  market: { url: string; key: string };
  /** Rao on the simulated chain. */
  balance: bigint;
  folder: string;
  onSending?: (sending: Sending) => void;
  log: Logger;
}

/** Somebody who buys or sells in the demonstration: the product's own desk for markets, with keys and a database that live as long as this. A resource. */
export class Participant {
  readonly name: string;
  readonly coldkey: string;
  readonly payments: SimulatedDesk;
  readonly desk: MarketDesk;
  /** Told when its purchases or offers have changed. */
  readonly changes: Changes;
  readonly #db: Db;

  private constructor({ name, chain, market, balance, folder, onSending, log }: ParticipantOptions, db: Db) {
    const [cold, hot] = [newSigner(), newSigner()];
    chain.settle(cold.address, hot.address, balance);
    this.name = name;
    this.coldkey = cold.address;
    this.payments = new SimulatedDesk(chain, cold.address);
    this.changes = new Changes();
    this.#db = db;
    this.desk = new MarketDesk({
      ...{ store: new MarketOrderStore(db), payments: this.payments, payer: async () => cold.address },
      choice: () => ({ ...market, wallet: name, hotkey: 'default', dailyCap: DAILY_CAP }),
      openHotkey: async () => ({ ...hot, close: async () => {} }),
      recordings: NO_RECORDINGS,
      onSending: async (sending) => onSending?.(sending),
      ...{ folder: join(folder, name), changes: this.changes, log, between: BETWEEN, looks: LOOKS },
    });
  }

  static async open(options: ParticipantOptions): Promise<Participant> {
    const participant = new Participant(options, await openDatabase(':memory:'));
    await participant.desk.open();
    return participant;
  }

  async close(): Promise<void> {
    await closeAll(
      () => this.desk.close(),
      () => this.#db.destroy(),
    );
  }

  /** Waits until a purchase is in one of these states, or says why it does not go on. */
  async until(id: string, states: readonly OwnPurchase['state'][], signal: AbortSignal): Promise<OwnPurchase> {
    for (;;) {
      const { count } = this.changes;
      const purchase = await this.desk.purchases.get(id);
      if (states.includes(purchase.state)) return purchase;
      await this.changes.after(count, signal);
      signal.throwIfAborted();
    }
  }

  /** Waits until an own offer is as it is wanted. */
  async untilOffer(
    id: string,
    isAsWanted: (offer: Awaited<ReturnType<MarketDesk['offers']['get']>>) => boolean,
    signal: AbortSignal,
  ) {
    for (;;) {
      const { count } = this.changes;
      const offer = await this.desk.offers.get(id);
      if (isAsWanted(offer)) return offer;
      await this.changes.after(count, signal);
      signal.throwIfAborted();
    }
  }

  /** Says yes to a draft. @returns what came of it */
  async pay(draft: { id: string }, signal: AbortSignal): Promise<SentCall | undefined> {
    let last: SentCall | undefined;
    for await (const call of this.desk.pay({ id: draft.id, password: null }, signal)) last = call;
    return last;
  }
}

import { readJson, shaped } from '../../../../bittensor/signed-requests/request-body.ts';
import type { MarketStore } from '../../../../store/market/focus-market.ts';
import type { Offer, Purchase } from '../../../../store/market/market-rows.ts';
import type { MarketTerms } from '../rules/terms.ts';
import {
  appealSchema,
  type MarketTask,
  MOST_LISTED,
  pageSchema,
  paidSchema,
  purchaseWishSchema,
  submitSchema,
} from '../wire.ts';
import type { Answers, Asked } from './market-server.ts';
import type { Offers } from './offers.ts';
import { notFound, Problem } from './problem.ts';
import { readId, readPiece } from './requests.ts';
import type { Sales } from './sales.ts';
import type { Showcase } from './showcase.ts';
import type { VideoFiles } from './video-files.ts';
import { offerView, purchaseView } from './views.ts';

/** Gives a file, as a whole or one range of bytes of it, as HTTP has it. */
export type GiveFile = (path: string, range: string | undefined) => Promise<Response>;

export interface AnswersOptions {
  store: MarketStore;
  files: VideoFiles;
  offers: Offers;
  sales: Sales;
  showcase: Showcase;
  terms: MarketTerms;
  keepMs: () => number;
  giveFile: GiveFile;
  tasks: readonly MarketTask[];
}

/** What each route of the wire does. */
export function marketAnswers(options: AnswersOptions): Answers {
  const { store, offers, sales, showcase } = options;
  const ofOffers = async (some: readonly Offer[]) => {
    const owed = Map.groupBy(await store.owedFor(some.map(({ id }) => id)), ({ offer }) => offer);
    return some.map((offer) => offerView(offer, owed.get(offer.id) ?? []));
  };
  const ofOffer = async (offer: Offer) => offerView(offer, await store.owedFor([offer.id]));
  const ofPurchase = (purchase: Purchase) => viewOf(purchase, options);
  return {
    submit: async ({ caller, body }) => {
      const offer = await offers.submit(caller.hotkey, readJson(submitSchema, body));
      return { status: 201, document: await ofOffer(offer) };
    },
    offers: async ({ caller, query }) => {
      const page = await paged(query, (asked) => store.offersOf(caller.hotkey, asked));
      return ok({ offers: await ofOffers(page.rows), more: page.more });
    },
    offer: async ({ caller, params }) => ok(await ofOffer(await offers.own(caller.hotkey, offerId(params)))),
    upload: async ({ caller, params, headers, body }) => {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const piece = readPiece(headers['content-range']);
      return ok(await ofOffer(await offers.upload(caller.hotkey, offerId(params), piece, bytes)));
    },
    withdraw: async ({ caller, params }) => ok(await ofOffer(await offers.withdraw(caller.hotkey, offerId(params)))),
    appeal: async ({ caller, params, body }) => {
      const { note } = readJson(appealSchema, body);
      return ok(await ofOffer(await offers.appeal(caller.hotkey, offerId(params), note)));
    },
    settle: async ({ caller, params, body }) => {
      const id = offerId(params);
      await sales.settleOwed(caller.hotkey, id, purchaseId(params, 'purchase'), readJson(paidSchema, body));
      return ok(await ofOffer(await offers.own(caller.hotkey, id)));
    },
    list: async () => ok(await showcase.list()),
    purchase: async ({ caller, body }) => {
      const { video, price } = readJson(purchaseWishSchema, body);
      const { purchase, isNew } = await sales.lock(caller.hotkey, video, BigInt(price));
      return { status: isNew ? 201 : 200, document: await ofPurchase(purchase) };
    },
    purchases: async ({ caller, query }) => {
      const page = await paged(query, (asked) => store.purchasesOf(caller.hotkey, asked));
      return ok({ purchases: await Promise.all(page.rows.map(ofPurchase)), more: page.more });
    },
    purchaseOf: async (asked) => ok(await ofPurchase(await ownPurchase(asked, store))),
    verify: async ({ caller, params, body }) => {
      return ok(await ofPurchase(await sales.verify(caller.hotkey, purchaseId(params), readJson(paidSchema, body))));
    },
    revert: async ({ caller, params }) => ok(await ofPurchase(await sales.revert(caller.hotkey, purchaseId(params)))),
    video: (asked) => giveVideo(asked, options),
    stats: async ({ caller }) => ok(await showcase.stats(caller.hotkey)),
    tasks: async () => ok({ tasks: options.tasks }),
  };
}

const ok = (document: object) => ({ status: 200, document });
const offerId = (params: unknown) => readId(params, 'id', 'offer');
const purchaseId = (params: unknown, name: 'id' | 'purchase' = 'id') => readId(params, name, 'purchase');

async function paged<Row>(
  query: unknown,
  read: (page: { before?: number | undefined; limit: number }) => Promise<Row[]>,
): Promise<{ rows: Row[]; more: boolean }> {
  const { before } = shaped(pageSchema, query);
  const rows = await read({ before, limit: MOST_LISTED + 1 });
  return { rows: rows.slice(0, MOST_LISTED), more: rows.length > MOST_LISTED };
}

async function ownPurchase({ caller, params }: Asked, store: MarketStore): Promise<Purchase> {
  const purchase = await store.purchase(purchaseId(params));
  if (purchase?.hotkey !== caller.hotkey) throw notFound('purchase');
  return purchase;
}

async function viewOf(purchase: Purchase, { store, terms, keepMs }: AnswersOptions) {
  const [offer, buyer] = await Promise.all([store.offer(purchase.offer), store.buyer(purchase.buyer)]);
  if (!offer) throw new Error(`There is no offer ${purchase.offer}.`);
  return purchaseView(purchase, offer, { buyer, terms, keepMs: keepMs() });
}

/** @throws Problem NOT_FOUND, CONFLICT before it is paid, GONE when it is not kept any more */
async function giveVideo(asked: Asked, { store, files, giveFile }: AnswersOptions): Promise<Response> {
  const { offer: id, state } = await ownPurchase(asked, store);
  if (state !== 'paid') throw new Problem('CONFLICT', `The purchase is ${state}.`);
  const offer = await store.offer(id);
  if (!offer || offer.nextByte === 0) throw new Problem('GONE', 'The market does not keep this video any more.');
  return told(await giveFile(files.of(id), asked.headers.range));
}

/** What is no video says why, as every refusal does. @throws Problem NOT_FOUND where the file is gone */
function told(given: Response): Response {
  if (given.ok) return given;
  if (given.status !== 416) throw notFound('video');
  const { body } = new Problem('BAD_REQUEST', 'The video has no such range.', { field: 'range' });
  const range = given.headers.get('content-range');
  return Response.json(body, { status: 416, headers: range === null ? {} : { 'content-range': range } });
}

import type { QuarryErrorData } from '../../../../../../src-preload/contract/errors.ts';
import type { OwnOffer } from '../../../../../../src-preload/contract/trade.ts';
import type { Debt, OfferRow } from '../../../../../store/market/market-order-tables.ts';
import type { ScorePayload, SignedScore } from '../../../focus/signed-score.ts';
import type { OfferView, Submit } from '../../wire.ts';
import { keptError } from '../kept-error.ts';

/** An offer as the contract tells of it. @param isPaying whether a debt is being paid back */
export async function offerView(row: OfferRow, isPaying: (debt: Debt) => Promise<boolean>): Promise<OwnOffer> {
  const { id, recording, title, description, state, url, wish, seller, bytes, sha256, score, price, reason } = row;
  const owed = [];
  for (const { purchase, to, amount } of owedOf(row)) {
    owed.push({ purchase, to, amount, isPaying: await isPaying({ offer: id, purchase }) });
  }
  const { scoreCard, kind } = submitOf(row);
  return {
    ...{ id, recording, title, description, kind, state, url, wish, seller, bytes, sha256, score, price, reason, owed },
    ownScore: scoreCard.score,
    signed: scoreCard.signed ? toldOf(scoreCard.signed) : null,
    mayAppeal: mayAppeal(row),
    rests: rests(row),
    sentBytes: row.sent_bytes,
    durationMs: row.duration_ms,
    error: keptError(row.error),
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}

/** The market’s model has rejected it. Whether it still has the video, and nobody has looked at it, only the market knows. */
export const mayAppeal = ({ state, offer_id, score }: OfferRow): boolean =>
  state === 'rejected' && offer_id !== null && score !== null;

export const ON_THEIR_WAY: ReadonlySet<OfferRow['state']> = new Set(['sending', 'uploading']);

/** It is not on the market yet, and what stands in the way does not pass by itself. */
export const rests = ({ state, error }: Pick<OfferRow, 'state' | 'error'>): boolean =>
  ON_THEIR_WAY.has(state) && error !== null && !(JSON.parse(error) as QuarryErrorData).retryable;

/** What is owed back to buyers, as the market told it. */
export const owedOf = ({ owed }: Pick<OfferRow, 'owed'>) => JSON.parse(owed) as OfferView['owed'];

/** What is sent of an offer beside its bytes. */
export function submitOf(row: OfferRow): Submit {
  const { title, description, wish, seller, sha256, bytes, duration_ms: durationMs } = row;
  const [scoreCard, chain] = [JSON.parse(row.score_card), JSON.parse(row.chain)];
  return {
    ...{ title, description, wish, seller, sha256, bytes, durationMs, scoreCard, chain },
    kind: row.kind as Submit['kind'],
  };
}

/** What others learn of a signed score: it was signed here. */
function toldOf({ payload }: SignedScore): OwnOffer['signed'] {
  const { score, model, host } = JSON.parse(payload) as ScorePayload;
  return { score: score ?? 0, model: model ?? '', host: host ?? '' };
}

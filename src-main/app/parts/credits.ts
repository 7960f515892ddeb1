import { type CreditBook, openCreditBook } from '../../credits/ledger/credit-book.ts';
import { verify } from '../../mesh/transport/identity.ts';
import type { Core } from './core.ts';

/** What this node earns and spends. */
export type CreditsPart = CreditBook;

/** @throws DATABASE_CORRUPT when the ledger is not sound */
export async function openCredits({ config, db, identity, standings, log, onClose }: Core): Promise<CreditsPart> {
  const { gift: most, giftForgivenPerDay: perDay, rule } = config.credits;
  const gifts = { most, perDay };
  const standing = (id: string) => standings.of(id);
  const book = await openCreditBook({ db, identity, verify, standing, gifts, rule, log });
  onClose(() => book.close());
  return book;
}

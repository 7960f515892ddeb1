import type { Db } from '../store/database.ts';
import { wrongOwnEntries } from '../store/own-entries.ts';
import type { Findings } from './findings.ts';

const PAGE = 2_000;

/** Compares the own history that is kept with what the journal gives, up to an entry. */
export async function auditOwnEntries(db: Db, upTo: number, findings: Findings): Promise<void> {
  for (let first = 1; first <= upTo; first += PAGE) {
    const wrong = await wrongOwnEntries(db, first, Math.min(first + PAGE - 1, upTo));
    for (const seq of wrong) findings.add(`entry ${seq} is not in the own history as the journal gives it`);
    await new Promise(setImmediate); // a long journal must not hold up the node
  }
}

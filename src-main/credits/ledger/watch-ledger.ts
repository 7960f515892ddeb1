import { setTimeout as sleep } from 'node:timers/promises';
import { ignoring } from '../../base/swallowed.ts';
import type { Db } from '../../store/database.ts';

/** Milliseconds from one signal to the next, at least. */
const LEAST_GAP_MS = 1_000;

/** Tells when something was committed. @returns how to stop that */
export type OnCommit = (listener: () => void) => () => void;

/**
 * Says how long the ledger is: now, and whenever it has grown, at most once a second. Ends with its signal, and leaves no
 * listener behind.
 */
export async function* watchLedger(
  db: Db,
  onCommit: OnCommit,
  signal: AbortSignal,
): AsyncGenerator<{ seq: number }, void, undefined> {
  let change = Promise.withResolvers<void>();
  const wake = () => change.resolve();
  const stopListening = onCommit(wake);
  signal.addEventListener('abort', wake);
  let told = -1;
  try {
    while (!signal.aborted) {
      change = Promise.withResolvers(); // before the look: what is committed meanwhile is looked for again
      const { seq } = await db.selectFrom('ledger_head').select('seq').executeTakeFirstOrThrow();
      if (seq === told) {
        await change.promise;
        continue;
      }
      told = seq;
      yield { seq };
      await sleep(LEAST_GAP_MS, undefined, { signal }).catch(ignoring('the loop sees the signal'));
    }
  } finally {
    stopListening();
    signal.removeEventListener('abort', wake);
  }
}

import type { Changes } from './changes.ts';

/** Milliseconds between two looks. */
const LOOK_AGAIN_MS = 1_000;

/**
 * What `read` gives, now and whenever it has become something else: looked at every second, and at once when `changes`
 * tells of something that a person waits for. Nothing is done unless somebody reads. Ends with the signal.
 */
export async function* watched<T>(
  read: () => T | Promise<T>,
  changes: Changes,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  let last: string | undefined;
  while (!signal.aborted) {
    const { count } = changes;
    const value = await read();
    const text = JSON.stringify(value);
    if (text !== last) yield value;
    last = text;
    await changes.after(count, signal, LOOK_AGAIN_MS);
  }
}

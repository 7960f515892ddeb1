import type { Changes } from './changes.ts';

/** Milliseconds between two looks. */
const LOOK_AGAIN_MS = 1_000;
/** A look that takes longer, in milliseconds, holds everything else up: that has so many times as long before the next. */
const LONG_MS = 10;
const REST = 9;

/**
 * What `read` gives, now and whenever it has become something else: looked at every second, and at once when `changes`
 * tells of something that a person waits for. What takes long to read is looked at less often. Nothing is done unless
 * somebody reads. Ends with the signal.
 */
export async function* watched<T>(
  read: () => T | Promise<T>,
  changes: Changes,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  let last: string | undefined;
  while (!signal.aborted) {
    const { count } = changes;
    const begun = performance.now();
    const value = await read();
    const text = JSON.stringify(value);
    const ended = performance.now();
    if (text !== last) yield value;
    last = text;
    const took = ended - begun;
    if (took > LONG_MS) await untilThen(ended + REST * took, changes, signal);
    await changes.after(count, signal, LOOK_AGAIN_MS);
  }
}

/** Waits, whatever changes. @param then by `performance.now()` */
async function untilThen(then: number, changes: Changes, signal: AbortSignal): Promise<void> {
  for (let left = then - performance.now(); left > 0 && !signal.aborted; left = then - performance.now()) {
    await changes.after(changes.count, signal, left);
  }
}

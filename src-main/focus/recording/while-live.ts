import type { Changes } from '../../base/changes.ts';

/**
 * Does something for as long as anything is being recorded: `begin` when a recording begins, what it gave when it ends.
 * Ends with the signal.
 */
export async function whileLive(
  recorder: { readonly live: unknown },
  changes: Changes,
  begin: () => () => void,
  signal: AbortSignal,
): Promise<void> {
  let end: (() => void) | undefined;
  while (!signal.aborted) {
    const { count } = changes;
    const isLive = recorder.live !== null;
    if (isLive) end ??= begin();
    else {
      end?.();
      end = undefined;
    }
    await changes.after(count, signal);
  }
  end?.();
}

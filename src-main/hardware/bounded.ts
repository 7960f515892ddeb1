import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';

/**
 * Waits for `work` at most `ms` milliseconds, then rejects. The work itself is not stopped: what it still does
 * (a helper program of the OS, say) ends by itself and its result is dropped.
 */
export async function bounded<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new QuarryError({ code: 'DEADLINE', message: say('hardware.noAnswer', { seconds: ms / 1_000 }) })),
      ms,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

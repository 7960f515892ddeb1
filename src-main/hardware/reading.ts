import { QuarryError } from '../../src-preload/contract/errors.ts';
import { type Said, say, told, wordsOf } from '../../src-preload/contract/saying.ts';

/** Who gave a figure: the inference engine, the systeminformation library, Electron, or Node itself. */
export type Source = 'llama.cpp' | 'systeminformation' | 'nvidia-smi' | 'electron' | 'node';

/** A figure and who gave it, or why there is none. */
export type Reading<T> = Known<T> | Unknown;

export interface Known<T> {
  value: T;
  source: Source;
  reason?: undefined;
  said?: undefined;
}

export interface Unknown {
  value?: undefined;
  source?: undefined;
  reason: string;
  said?: Said | undefined;
}

/** Runs one probe: whatever it throws, and a wait longer than `ms`, becomes the reason why there is no figure. */
export async function read<R extends Reading<unknown>>(ms: number, probe: () => Promise<R>): Promise<R | Unknown> {
  try {
    return await bounded(probe(), ms);
  } catch (error) {
    return told({ reason: wordsOf(QuarryError.from(error), 'message') });
  }
}

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

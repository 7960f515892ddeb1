import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';

/** What comes of work that goes on in any case. @throws CANCELLED once the signal aborts */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = () => reject(new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') }));
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

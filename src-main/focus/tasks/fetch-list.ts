import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { version } from '../../base/version.ts';
import { MAX_LIST_BYTES } from './boosted-list.ts';

/** Milliseconds for the whole answer. */
const ANSWER_MS = 15_000;

/**
 * The bytes of a list, one more than allowed at most. Follows no redirect: whoever named the address named this one.
 * @throws NOT_RUNNING, to be tried again
 */
export async function fetchList(
  address: string,
  { fetch = globalThis.fetch, signal }: { fetch?: typeof globalThis.fetch; signal: AbortSignal },
): Promise<Uint8Array> {
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json', 'user-agent': `quarry/${version}` },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (response.ok) return await bytesOf(response);
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  } catch (cause) {
    signal.throwIfAborted();
    const reason = foreignLine(cause instanceof Error ? cause.message : String(cause)).slice(0, 200);
    throw new QuarryError(
      {
        code: 'NOT_RUNNING',
        message: say('focusTasks.notReached', { address, reason }),
        hint: say('focusTasks.notReached.hint'),
        retryable: true,
      },
      { cause },
    );
  }
}

/** Reads no further than to know that it is too much. */
async function bytesOf({ body }: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_LIST_BYTES) break;
  }
  return Buffer.concat(pieces);
}

import type { ErrorCode } from '../../../src-preload/contract/errors.ts';
import { DEFAULT_PATIENCE } from '../../mesh/asking/attempt.ts';
import type { SelfReport } from '../../mesh/asking/selection.ts';

/** What a lying worker does with a request, as the client comes to know of it. */
export interface Lie {
  code: ErrorCode;
  /** It said that it took the request. */
  accepted: boolean;
  /** Milliseconds until the attempt is over, on top of the way there and back. */
  afterMs: number;
  /** The wait that it told; the client's own cap of it is added. */
  etaMs: number;
}

/** What every liar says of itself. */
export const FREE_AND_WELL: Pick<SelfReport, 'health' | 'queue'> = {
  health: { score: 100, state: 'idle', capacity: 100 },
  queue: { waiting: 0, running: 0, parallel: 4, capacity: 64 },
};

const { acceptMs, firstTokenMs, stallMs } = DEFAULT_PATIENCE;
const NOT_TAKEN = { accepted: false, afterMs: 0, etaMs: 0 };
const TAKEN = { accepted: true, afterMs: 0, etaMs: 0 };

/** One of each kind. An attempt makes WORKER_LOST of a worker's DEADLINE and CANCELLED. */
export const LIES: readonly Lie[] = [
  { code: 'WORKER_LOST', ...NOT_TAKEN },
  { code: 'BAD_REQUEST', ...NOT_TAKEN },
  { code: 'CONTEXT_TOO_LONG', ...NOT_TAKEN },
  { code: 'QUEUE_FULL', ...NOT_TAKEN },
  { code: 'ENGINE_CRASHED', ...TAKEN },
  { code: 'WORKER_LOST', ...TAKEN, afterMs: firstTokenMs },
  { code: 'WORKER_LOST', ...TAKEN, afterMs: firstTokenMs, etaMs: 86_400_000 },
  { code: 'WORKER_LOST', ...NOT_TAKEN, afterMs: acceptMs },
  { code: 'WORKER_LOST', ...TAKEN, afterMs: stallMs },
];

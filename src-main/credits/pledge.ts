import { taggedBytes } from '../base/signing.ts';

/**
 * A client's signature for what it owes so far while its answer streams. It replaces every smaller one of the same request, and
 * the receipt replaces it. What it says is enough to be paid by: whichever side vanishes, the other loses one window at most.
 */
export interface Pledge {
  requestId: string;
  worker: string;
  client: string;
  /** Hash of the signed prompt. */
  promptHash: string;
  /** Credits, all in all. */
  credits: number;
}

/** The bytes that the client signs. */
export function pledgeBytes({ requestId, worker, client, promptHash, credits }: Pledge): Buffer {
  const body = { requestId, worker, client, promptHash, credits };
  return taggedBytes('quarry-pledge/v2', body);
}

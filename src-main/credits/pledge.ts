import canonicalize from 'canonicalize';

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

/** The bytes that the client signs: a domain tag, a newline, and the pledge as RFC 8785 JSON. */
export function pledgeBytes({ requestId, worker, client, promptHash, credits }: Pledge): Buffer {
  const body = { requestId, worker, client, promptHash, credits };
  return Buffer.from(`quarry-pledge/v2\n${canonicalize(body)}`, 'utf8');
}

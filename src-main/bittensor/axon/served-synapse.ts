import type { SynapseType } from '../synapse/synapse.ts';
import type { Caller } from './gate.ts';

/** Text counts as its UTF-8. */
export type Chunk = string | Uint8Array;

/**
 * Answers a synapse: with the fields that are to be set, or, where its type streams, with chunks as they come.
 * @param signal aborted when the caller's time is over, when it has gone, and when the axon closes
 * @throws Refusal with the status to answer; anything else is told as the SDK's 500, without words
 */
export type SynapseHandler<Fields> = (
  fields: Fields,
  caller: Caller,
  signal: AbortSignal,
) => Partial<Fields> | Promise<Partial<Fields>> | AsyncIterable<Chunk>;

/** A kind of request that an axon answers: made by {@link serve}. */
export interface ServedSynapse {
  readonly type: SynapseType;
  readonly handle: SynapseHandler<unknown>;
}

/** What an axon is to answer, and how. */
export function serve<Fields>(type: SynapseType<Fields>, handle: SynapseHandler<Fields>): ServedSynapse {
  // Fields reach a handler only as its own type has read them.
  return { type: type as SynapseType, handle: handle as SynapseHandler<unknown> };
}

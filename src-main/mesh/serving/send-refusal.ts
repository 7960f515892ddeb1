import type { Logger } from 'pino';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import { refusalMessage } from '../inference/refusal-message.ts';
import type { Refusals } from '../transport/guards/refusals.ts';
import type { Peer } from '../transport/peer.ts';

/** Tells a client why it gets no answer, and counts that. */
export function sendRefusal(
  { refusals, log }: { refusals: Refusals; log: Logger },
  peer: Peer<InferenceMessage>,
  requestId: string,
  error: QuarryError,
): void {
  refusals.note(error.code, { peer: peer.id, requestId, why: error.message });
  if (error.code === 'INTERNAL') log.error({ err: error, requestId }, 'a request failed');
  peer.send(refusalMessage(requestId, error));
}

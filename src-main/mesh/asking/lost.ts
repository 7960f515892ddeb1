import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../src-preload/contract/saying.ts';
import type { InferenceError } from '../inference/messages.ts';
import { errorOf } from '../inference/refusal-message.ts';

/** A worker that will not answer any more. */
export function lost(message: Words): QuarryError {
  return new QuarryError({ code: 'WORKER_LOST', message, retryable: true });
}

/** What a worker broke, as who asked is told. */
export function brokeProtocol(detail: string): QuarryError {
  return new QuarryError({ code: 'PROTOCOL', message: say('mesh.brokeProtocol', { detail }), retryable: true });
}

/** What a refusal comes to. Only this node's clock and its user end a request: a worker that says they did has given it up. */
export function refusedBy(refusal: InferenceError): QuarryError {
  const gaveUp = refusal.code === 'CANCELLED' || refusal.code === 'DEADLINE';
  return gaveUp ? lost(say('mesh.gaveUp')) : errorOf(refusal);
}

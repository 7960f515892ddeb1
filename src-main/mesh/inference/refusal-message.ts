import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Said, say, told } from '../../../src-preload/contract/saying.ts';
import { withoutControls } from '../../base/foreign-text.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import { type InferenceError, MAX_FIELD_CHARS, MAX_MS, MAX_REFUSAL_CHARS, REFUSAL_CODES } from './messages.ts';
import { keyFor, wordsFor } from './told-by-key.ts';

type WireCode = InferenceError['code'];

/** An error as the client may see it. What is not meant for others (paths, stack, cause) stays here. */
export function refusalMessage(requestId: string, error: QuarryError): InferenceError {
  const code = wireCode(error.code);
  const shown = code === 'INTERNAL' ? told({ message: say('mesh.workerFailed') }) : error;
  const message = shown.message.slice(0, MAX_REFUSAL_CHARS);
  const hint = error.hint?.slice(0, MAX_REFUSAL_CHARS);
  return {
    v: PROTOCOL_VERSION,
    type: 'inference_error',
    requestId,
    code,
    message,
    hint,
    said: saidFor({ message, hint }, { ...error.said, ...shown.said }),
    retry: error.retryable || code === 'INTERNAL',
    retryAfterMs: error.retryAfterMs === undefined ? undefined : Math.min(MAX_MS, Math.max(0, error.retryAfterMs)),
    field: error.field?.slice(0, MAX_FIELD_CHARS),
  };
}

/** The error that a worker's refusal stands for, in words that steer no terminal. */
export function errorOf(refusal: InferenceError): QuarryError {
  const { code, retry, retryAfterMs } = refusal;
  const [message = '', hint, field] = [refusal.message, refusal.hint, refusal.field].map(
    (words) => words && withoutControls(words),
  );
  return new QuarryError({
    code,
    message: wordsFor(message, refusal.said?.message),
    hint: hint && wordsFor(hint, refusal.said?.hint),
    retryable: retry,
    retryAfterMs,
    field,
  });
}

function saidFor(sent: { message: string; hint: string | undefined }, said: Said): InferenceError['said'] {
  const message = keyFor(sent.message, said.message);
  const hint = sent.hint === undefined ? undefined : keyFor(sent.hint, said.hint);
  return message || hint ? { message, hint } : undefined;
}

function wireCode(code: string): WireCode {
  return REFUSAL_CODES.find((known) => known === code) ?? 'INTERNAL';
}

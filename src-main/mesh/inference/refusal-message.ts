import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { withoutControls } from '../../base/foreign-text.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import { type InferenceError, MAX_FIELD_CHARS, MAX_MS, MAX_REFUSAL_CHARS, REFUSAL_CODES } from './messages.ts';

type WireCode = InferenceError['code'];

/** An error as the client may see it. What is not meant for others (paths, stack, cause) stays here. */
export function refusalMessage(requestId: string, error: QuarryError): InferenceError {
  const code = wireCode(error.code);
  return {
    v: PROTOCOL_VERSION,
    type: 'inference_error',
    requestId,
    code,
    message:
      code === 'INTERNAL'
        ? 'The worker failed; its operator finds the reason in its log.'
        : error.message.slice(0, MAX_REFUSAL_CHARS),
    hint: error.hint?.slice(0, MAX_REFUSAL_CHARS),
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
  return new QuarryError({ code, message, hint, retryable: retry, retryAfterMs, field });
}

function wireCode(code: string): WireCode {
  return REFUSAL_CODES.find((known) => known === code) ?? 'INTERNAL';
}

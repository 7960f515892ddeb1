import { say } from '../../../src-preload/contract/saying.ts';
import { parseRetryAfter } from '../../base/retry-after.ts';
import { SourceError } from './byte-source.ts';
import type { HttpAnswer } from './http-exchange.ts';

/** A server may not send us away for longer. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;

/** What a status that brings no bytes means, in words. */
export function refusal({ url: { host }, status, headers }: HttpAnswer, now: number): SourceError {
  if (status === 401 || status === 403) {
    return new SourceError('gone', say('download.forbidden', { host, status: String(status) }));
  }
  if (status === 404 || status === 410) {
    return new SourceError('gone', say('download.noSuchFile', { host, status: String(status) }));
  }
  if (status === 429 || status === 503) {
    const retryAfterMs = parseRetryAfter(headers['retry-after'], now, MAX_RETRY_AFTER_MS);
    return new SourceError('busy', say('download.patience', { host, status: String(status) }), { retryAfterMs });
  }
  if (status === 408 || status === 425 || status >= 500) {
    return new SourceError('lost', say('download.ownProblem', { host, status: String(status) }));
  }
  return new SourceError('gone', say('download.noSense', { host, status: String(status) }));
}

/** What undici says when no answer comes, in words. */
export function connectionError(host: string, error: unknown): SourceError {
  const code = codeOf(error);
  const why = WORDS[code] ?? (code.startsWith('HPE_') ? 'it does not speak HTTP' : 'the connection broke');
  return new SourceError('lost', `${host}: ${why}${code ? ` (${code})` : ''}.`, { cause: error });
}

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'nobody answers there',
  ENOTFOUND: 'there is no such host, or this machine is offline',
  EAI_AGAIN: 'its address cannot be looked up; is this machine offline',
  ENETUNREACH: 'this machine is offline',
  EHOSTUNREACH: 'it cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  UND_ERR_BODY_TIMEOUT: 'it stopped sending',
  CERT_HAS_EXPIRED: 'its certificate has expired; is this machine’s clock right',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not to be trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not to be trusted; a proxy in between may be why',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not to be trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is another host’s',
};

/** The first code on the way down to the cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== 'UND_ERR_SOCKET') return error.code;
  return codeOf(error.cause) || ('code' in error ? String(error.code) : '');
}

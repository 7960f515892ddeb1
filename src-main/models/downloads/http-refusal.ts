import { type SayingKey, say } from '../../../src-preload/contract/saying.ts';
import { parseRetryAfter } from '../../base/retry-after.ts';
import { SourceError } from './byte-source.ts';
import type { HttpAnswer } from './http-exchange.ts';

/** A server may not send us away for longer. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;

/** What a status that brings no bytes means, in words. */
export function refusal({ url: { host }, status, headers }: HttpAnswer, now: number): SourceError {
  if (status === 401 || status === 403) {
    return new SourceError('gone', say('download.forbidden', { host, status: String(status) }), { fault: 'forbidden' });
  }
  if (status === 404 || status === 410) {
    return new SourceError('gone', say('download.noSuchFile', { host, status: String(status) }), { fault: 'missing' });
  }
  if (status === 429 || status === 503) {
    const retryAfterMs = parseRetryAfter(headers['retry-after'], now, MAX_RETRY_AFTER_MS);
    const words = say('download.patience', { host, status: String(status) });
    return new SourceError('busy', words, { retryAfterMs, fault: 'server' });
  }
  if (status === 408 || status === 425 || status >= 500) {
    return new SourceError('lost', say('download.ownProblem', { host, status: String(status) }), { fault: 'server' });
  }
  return new SourceError('gone', say('download.noSense', { host, status: String(status) }));
}

/** What undici says when no answer comes, in words. */
export function connectionError(host: string, error: unknown): SourceError {
  const code = codeOf(error);
  const why = say(WORDS[code] ?? (code.startsWith('HPE_') ? 'connection.notHttp' : 'connection.broke'));
  const words = code ? say('connection.failedWith', { host, why, code }) : say('connection.failed', { host, why });
  return new SourceError('lost', words, { cause: error, fault: OFFLINE.includes(code) ? 'offline' : 'server' });
}

/** A host that has no address although others have theirs. */
export function noSuchHost(host: string, error: unknown): SourceError {
  return new SourceError('gone', say('connection.failed', { host, why: say('connection.noSuchHost') }), {
    cause: error,
    fault: 'missing',
  });
}

/** Whether a name had no address: of a host that there is not, or of any host where this machine is offline. */
export function isNotFound(error: unknown): boolean {
  return codeOf(error) === 'ENOTFOUND';
}

/** No name was found, or no connection came about: the server has said nothing yet. */
const OFFLINE = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Sentences without parameters. */
type ConnectionKey = Exclude<Extract<SayingKey, `connection.${string}`>, `connection.failed${string}`>;

const WORDS: Record<string, ConnectionKey> = {
  ECONNREFUSED: 'connection.refused',
  ENOTFOUND: 'connection.noHost',
  EAI_AGAIN: 'connection.noLookup',
  ENETUNREACH: 'connection.offline',
  EHOSTUNREACH: 'connection.unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'connection.silent',
  UND_ERR_HEADERS_TIMEOUT: 'connection.silent',
  UND_ERR_BODY_TIMEOUT: 'connection.stopped',
  CERT_HAS_EXPIRED: 'connection.certExpired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'connection.certUntrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'connection.certProxy',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'connection.certUntrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'connection.certOther',
};

/** The first code on the way down to the cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== 'UND_ERR_SOCKET') return error.code;
  return codeOf(error.cause) || ('code' in error ? String(error.code) : '');
}

import { HubApiError, InvalidApiResponseFormatError } from '@huggingface/hub';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { Place } from './destination.ts';
import { HubNonsense } from './hub-fetch.ts';

/**
 * What went wrong with an upload: named, with a way out. What was sent before stays sent.
 * @param retryAfterMs as the hub last asked to wait
 */
export function explainUploadError(error: unknown, place: Place, retryAfterMs?: number): QuarryError {
  if (error instanceof QuarryError) return error;
  const host = new URL(place.endpoint).host;
  if (error instanceof HubApiError) return refusal(error, { host, name: place.repository, retryAfterMs });
  if (error instanceof HubNonsense || error instanceof InvalidApiResponseFormatError || error instanceof SyntaxError) {
    const words = { message: say('dataSet.noHub', { host }), hint: say('dataSet.checkEndpoint') };
    return new QuarryError({ code: 'PROTOCOL', ...words }, { cause: error });
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') }, { cause: error });
  }
  if (error instanceof Error && error.name === 'TimeoutError') return later('dataSet.slow', host, error);
  if (error instanceof TypeError) return later('dataSet.offline', host, error); // as fetch says that there is no connection
  return QuarryError.from(error);
}

function later(key: 'dataSet.slow' | 'dataSet.offline' | 'dataSet.broken', host: string, cause: Error): QuarryError {
  const words = { message: say(key, { host }), hint: say('dataSet.goesOn') };
  return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words, retryable: true }, { cause });
}

interface Asked {
  host: string;
  name: string;
  retryAfterMs: number | undefined;
}

function refusal(error: HubApiError, { host, name, retryAfterMs }: Asked): QuarryError {
  switch (error.statusCode) {
    case 401:
      return named('UNAUTHORIZED', say('dataSet.tokenUnknown', { host }), say('dataSet.newToken'), error);
    case 403:
      return named('UNAUTHORIZED', say('dataSet.mayNotWrite', { host, name }), say('dataSet.writeToken'), error);
    case 404:
      return named('BAD_REQUEST', say('dataSet.noRepository', { host, name }), say('dataSet.checkName'), error);
    case 409:
    case 412:
      return named('OVERLOADED', say('dataSet.changed', { name }), say('dataSet.goesOn'), error, { retryable: true });
    case 429: {
      const again = { retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }) };
      return named('RATE_LIMIT', say('dataSet.tooOften', { host }), say('dataSet.goesOn'), error, again);
    }
    default:
      if (error.statusCode >= 500) return later('dataSet.broken', host, error);
      return named('BAD_REQUEST', say('dataSet.refused', { host, why: short(error) }), say('dataSet.checkName'), error);
  }
}

function named(
  code: 'UNAUTHORIZED' | 'BAD_REQUEST' | 'OVERLOADED' | 'RATE_LIMIT',
  message: ReturnType<typeof say>,
  hint: ReturnType<typeof say>,
  cause: Error,
  more: { retryable?: boolean; retryAfterMs?: number } = {},
): QuarryError {
  return new QuarryError({ code, message, hint, ...more }, { cause });
}

const MOST_CHARS = 300;
const short = ({ message }: Error) => message.slice(0, MOST_CHARS);

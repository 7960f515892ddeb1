import { type Place, placeText } from '../../../src-preload/contract/place.ts';

/** What an axon's answer, or its absence, comes to: the SDK's status and its words. */
export interface Status {
  /** 200 when it was answered. */
  status: number;
  message: string;
}

/** An answer that is none: not JSON, too long, or of another shape. */
export class UnreadableAnswer extends Error {}

/** Where a request went, for the words. */
interface Target extends Place {
  name: string;
}

/** Nobody is there, or no way leads there. */
const UNREACHABLE = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENOTFOUND', 'ETIMEDOUT'];
const GONE = ['ECONNRESET', 'EPIPE'];

/** A failed request, as the SDK's dendrite tells it. @param timeout seconds that were waited */
export function failureStatus(error: unknown, { ip, port, name }: Target, timeout: number): Status {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { status: 408, message: `Request timeout after ${timeout} seconds` };
  }
  if (error instanceof UnreadableAnswer) return { status: 422, message: `Failed to parse response: ${message}` };
  if (UNREACHABLE.includes(code))
    return { status: 503, message: `Service unavailable at ${placeText({ ip, port })}/${name}` };
  if (GONE.includes(code)) return { status: 503, message: `Service disconnected: ${message}` };
  return { status: 500, message: `Client error: ${message}` };
}

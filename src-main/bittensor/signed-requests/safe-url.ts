import { isLoopbackUrl } from '../../base/loopback.ts';

/** An address that signed requests may be sent to: HTTPS, or on this computer. @returns undefined for another */
export function safeUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackUrl(url));
  return url && isSafe ? url : undefined;
}

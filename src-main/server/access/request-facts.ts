import type { FastifyRequest } from 'fastify';

/**
 * Whether a page of another origin made the browser send it. Another port of the same host is another origin, which browsers
 * call the same site; `none` is what a person typed. Programs, and browsers without TLS beyond loopback, say nothing.
 */
export function isOfOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Whether the browser shows the answer to a person in a tab of its own: the page that asked for it sees nothing of it. */
export function isLinkOpened({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/** The name in a Host header, without its port and the brackets of IPv6. */
export function hostname(header: string | undefined): string {
  const url = `http://${header}`;
  return header && URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '';
}

/** The token that a program brings. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
}

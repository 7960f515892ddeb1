import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { ApiError } from './api-error.ts';

/**
 * Who may use the server. Programs of this machine may use a loopback address freely; web pages may not, although a browser
 * here would send their requests: their `Origin` gives them away, or their `Host` where a name was made to point here (DNS
 * rebinding). Everybody else brings the token.
 */
export class Access {
  readonly #loopback: boolean;
  readonly #tokenHash: Buffer | undefined;

  /** @throws QuarryError CONFIG_INVALID when the host can be reached from elsewhere and there is no token */
  constructor(host: string, token: string | undefined) {
    this.#loopback = isLoopback(host);
    this.#tokenHash = token ? sha256(token) : undefined;
    if (this.#loopback || this.#tokenHash) return;
    throw new QuarryError({
      code: 'CONFIG_INVALID',
      message: `The server may listen on ${host} only with a token: others can reach that address.`,
      hint: 'Set an API token, or listen on 127.0.0.1.',
      field: 'token',
    });
  }

  /** @throws ApiError 403 for a foreign web page */
  checkSource({ headers }: FastifyRequest): void {
    if (this.#loopback && !isLoopback(hostname(headers.host))) {
      throw new ApiError(403, { message: 'This server answers to localhost only.', code: 'wrong_host' });
    }
    const { origin } = headers;
    if (origin === undefined) return;
    if (!URL.canParse(origin) || new URL(origin).host !== headers.host) {
      throw new ApiError(403, { message: 'Web pages of other origins may not use this server.', code: 'wrong_origin' });
    }
  }

  /** @throws ApiError 401 without the token */
  checkToken(request: FastifyRequest): void {
    if (this.isAuthorised(request)) return;
    const message = 'A valid token is needed: «Authorization: Bearer TOKEN».';
    throw new ApiError(401, { message, type: 'authentication_error', code: 'invalid_api_key' });
  }

  /** Takes equally long for every wrong token. */
  isAuthorised({ headers }: FastifyRequest): boolean {
    if (!this.#tokenHash) return true;
    const [, token = ''] = /^Bearer +(.+)$/i.exec(headers.authorization ?? '') ?? [];
    return timingSafeEqual(sha256(token), this.#tokenHash);
  }
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host.toLowerCase() === 'localhost' : loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** The name in a Host header, without its port and the brackets of IPv6. */
function hostname(header: string | undefined): string {
  const url = `http://${header}`;
  return header && URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '';
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { isLoopback } from '../../base/loopback.ts';
import { sha256 } from '../../base/sha256.ts';
import { ApiError } from '../failures/api-error.ts';
import { LoginLimit } from './login-limit.ts';
import { bearerOf, hostname, isLinkOpened, isOfOtherSite } from './request-facts.ts';

/**
 * Who may use a route: everybody, programs with a token (unless a route says otherwise), or for the contract's WebSocket also
 * pages of this server whose browser has logged in. An `api` is open to all programs of this computer where the settings leave
 * it so; `metrics` as an `api`, and to who has the token for that alone. A `page` is public, and may be opened by a link of another site.
 */
export type RouteAccess = 'public' | 'page' | 'api' | 'metrics' | 'token' | 'socket';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: 'token'. */
    access?: RouteAccess;
  }
}

export interface AccessRules {
  host: string;
  /** What programs bring, and people log in with. */
  token?: string;
  /** Opens the figures, and nothing else. */
  metricsToken?: string;
  /** Works for programs as the token does; those of this user read it from a file. */
  localToken: string;
  /** Whether programs of this computer may use the API without a token as long as `token` is not set. Default true. */
  localApiOpen?: boolean;
  /** Where a proxy serves this node. */
  publicUrl?: URL;
}

/** What proxies say of those for whom they ask. */
const PROXIES = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * Who may use the server. To be on this machine opens the API at most: its other accounts are strangers, and bring a token as
 * those elsewhere do. Web pages may nothing, although a browser here would send their requests: their `Origin` gives them away,
 * or `Sec-Fetch-Site` where the browser names no origin (GET, HEAD, images, scripts), or their `Host` where a name was made to
 * point here (DNS rebinding).
 */
export class Access {
  readonly #loopback: boolean;
  readonly #publicUrl: URL | undefined;
  readonly #tokenHash: Buffer | undefined;
  readonly #metricsTokenHash: Buffer | undefined;
  readonly #localTokenHash: Buffer;
  readonly #localApiOpen: boolean;
  /** Stands for both tokens, and says nothing of them: the local one is a key of 256 random bits. */
  readonly realm: string;
  readonly #limit = new LoginLimit();
  readonly #codeLimit = new LoginLimit();
  /** Apart from the API's: who has this token must not be able to wipe out with it what was counted of guesses at that one. */
  readonly #metricsLimit = new LoginLimit();
  /** Of those who are logged in, by session. */
  readonly #sessionLimit = new LoginLimit();

  /** @throws QuarryError CONFIG_INVALID when others can reach the server and there is no token */
  constructor({ host, token, metricsToken, localToken, localApiOpen = true, publicUrl }: AccessRules) {
    this.#loopback = isLoopback(host);
    this.#publicUrl = publicUrl;
    this.#tokenHash = token ? sha256(token) : undefined;
    this.#metricsTokenHash = metricsToken ? sha256(metricsToken) : undefined;
    this.#localTokenHash = sha256(localToken);
    this.#localApiOpen = localApiOpen && token === undefined;
    this.realm = createHmac('sha256', localToken)
      .update(token ?? '')
      .digest('base64');
    if (this.#tokenHash || (this.#loopback && !publicUrl)) return;
    throw new QuarryError({
      code: 'CONFIG_INVALID',
      message: publicUrl
        ? `The server may be served at ${publicUrl.origin} only with a token: others can reach that address.`
        : `The server may listen on ${host} only with a token: others can reach that address.`,
      hint: publicUrl ? 'Set an API token, or remove publicUrl.' : 'Set an API token, or listen on 127.0.0.1.',
      field: 'token',
    });
  }

  /** Whether there is a token that people can log in with. */
  get hasToken(): boolean {
    return this.#tokenHash !== undefined;
  }

  /**
   * @param access of the request's route
   * @throws ApiError 403 for a foreign web page
   */
  checkSource(request: FastifyRequest, access: RouteAccess): void {
    const { headers } = request;
    if (this.#loopback && !isLoopback(hostname(headers.host)) && !this.#isPublicHost(headers.host)) {
      throw new ApiError(403, { message: say('login.localOnly'), code: 'wrong_host' });
    }
    if (isOfOtherSite(request) && !(access === 'page' && isLinkOpened(request))) throw otherOrigin();
    const { origin } = headers;
    // A proxy may have put another Host in the place of the public one.
    if (origin === undefined || origin === this.#publicUrl?.origin) return;
    if (!URL.canParse(origin) || new URL(origin).host !== headers.host) throw otherOrigin();
  }

  /** @throws ApiError 401 without a token, unless the API is open; 429 for who has tried too many */
  checkApi(request: FastifyRequest): void {
    if (!this.#localApiOpen) this.checkToken(request);
  }

  /** @throws ApiError 401 without a token, 429 for who has tried too many */
  checkToken(request: FastifyRequest): void {
    const waitMs = bearerOf(request) === undefined ? 0 : this.#limit.waitMs(request.ip);
    if (this.hasBearer(request)) return;
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    throw noToken();
  }

  /** @throws ApiError 401 without a token, unless the API is open; 429 for who has tried too many */
  checkMetrics(request: FastifyRequest): void {
    if (this.#localApiOpen) return;
    const hasOne = bearerOf(request) !== undefined;
    const waitMs = hasOne ? Math.max(this.#limit.waitMs(request.ip), this.#metricsLimit.waitMs(request.ip)) : 0;
    if (this.hasMetricsBearer(request)) return;
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    throw noToken();
  }

  /**
   * For a WebSocket, which browsers open to any server, with its cookies: without a token, only pages of this server may.
   *
   * @param loggedIn whether the request's cookie is one of ours
   * @throws ApiError 403 without an `Origin`, 401 without login
   */
  checkSocket(request: FastifyRequest, loggedIn: boolean): void {
    if (this.hasBearer(request)) return;
    if (request.headers.origin === undefined) {
      const message = 'Only pages of this server and programs with its token may open a WebSocket.';
      throw new ApiError(403, { message, code: 'wrong_origin' });
    }
    if (!loggedIn) this.checkToken(request);
  }

  /**
   * Whether a login's token is the one that people know. Who is logged in already waits for the wrong ones of that session alone: an
   * address is no more than what a proxy says, or somebody on this machine who says that he is the proxy.
   *
   * @param session that lasts, of the browser that sent it
   * @throws ApiError 401, 429 for who has tried too many
   */
  checkLogin({ ip }: FastifyRequest, token: string, session?: string): void {
    const type = 'authentication_error';
    if (!this.hasToken) throw new ApiError(401, { message: say('login.byLink'), type, code: 'no_token' });
    const [limit, guesser] = session === undefined ? [this.#limit, ip] : [this.#sessionLimit, session];
    const waitMs = limit.waitMs(guesser);
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    if (isSame(token, this.#tokenHash)) {
      this.#limit.succeeded(ip);
      return;
    }
    limit.failed(guesser, token);
    throw new ApiError(401, { message: say('login.wrongToken'), type, code: 'wrong_token' });
  }

  /**
   * Somebody brought a code that opens nothing. It is counted apart from tokens: a page elsewhere can make a browser ask for a link, and
   * must not keep its owner from logging in.
   * @throws ApiError 429 for who has tried too many
   */
  countGuess({ ip }: FastifyRequest, code: string): void {
    const waitMs = this.#codeLimit.waitMs(ip);
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    this.#codeLimit.failed(ip, code);
  }

  /** Whether a request may see what the API tells: see {@link checkApi}. */
  mayUseApi(request: FastifyRequest): boolean {
    return this.#localApiOpen || this.hasBearer(request);
  }

  /**
   * Whether nobody on the way can read what a request brings: it comes over TLS or from this computer. That a proxy here was asked
   * over TLS says the page's own address, and programs cannot say it. A proxy that says nothing of itself cannot be told from a program here.
   */
  isConfidential({ headers, socket }: FastifyRequest): boolean {
    if (socket instanceof TLSSocket) return true;
    if (!isLoopback(socket.remoteAddress ?? '')) return false;
    if (this.#publicUrl && headers.origin === this.#publicUrl.origin) return this.#publicUrl.protocol === 'https:';
    return isLoopback(hostname(headers.host)) && PROXIES.every((name) => headers[name] === undefined);
  }

  /** Whether it is a program of the account under which the node runs: it has read that account's own token. */
  isOfAccount(request: FastifyRequest): boolean {
    const token = bearerOf(request);
    return token !== undefined && isSame(token, this.#localTokenHash);
  }

  /** A wrong token counts as a guess; while its address has to wait, every token but this user's own is wrong. */
  hasBearer(request: FastifyRequest): boolean {
    const token = bearerOf(request);
    if (token === undefined) return false;
    // Of 256 random bits: nobody guesses it, so nobody is kept waiting with it.
    if (this.isOfAccount(request)) return true;
    if (this.#limit.waitMs(request.ip) > 0) return false;
    const right = isSame(token, this.#tokenHash);
    if (right) this.#limit.succeeded(request.ip);
    else if (this.hasToken) this.#limit.failed(request.ip, token);
    return right;
  }

  /**
   * Whether somebody may read the figures by what he brings: the token for that alone, or one that opens more. Wrong ones count as guesses at both;
   * while an address has to wait for those at one of them, that one is wrong.
   */
  hasMetricsBearer(request: FastifyRequest): boolean {
    const token = bearerOf(request);
    if (token === undefined) return false;
    const waits = this.#metricsLimit.waitMs(request.ip) > 0;
    if (!waits && isSame(token, this.#metricsTokenHash)) {
      this.#metricsLimit.succeeded(request.ip);
      return true;
    }
    if (this.hasBearer(request)) return true;
    if (!waits && this.#metricsTokenHash) this.#metricsLimit.failed(request.ip, token);
    return false;
  }

  #isPublicHost(host: string | undefined): boolean {
    if (!this.#publicUrl || !host) return false;
    return URL.parse(`${this.#publicUrl.protocol}//${host}`)?.host === this.#publicUrl.host;
  }
}

function noToken(): ApiError {
  const message = 'A valid token is needed: «Authorization: Bearer TOKEN».';
  return new ApiError(401, { message, type: 'authentication_error', code: 'invalid_api_key' });
}

function otherOrigin(): ApiError {
  return new ApiError(403, { message: say('login.otherOrigin'), code: 'wrong_origin' });
}

/** Takes equally long for every wrong one. */
function isSame(token: string, hash: Buffer | undefined): boolean {
  return hash !== undefined && timingSafeEqual(sha256(token), hash);
}

function tooManyAttempts(waitMs: number): ApiError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const message = say('login.tooMany', { seconds: retryAfterSeconds });
  return new ApiError(429, { message, type: 'rate_limit_error', code: 'too_many_attempts', retryAfterSeconds });
}

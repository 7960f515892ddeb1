import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MS } from './sessions.ts';

/** The cookie that holds a session's id. No script can read it, and no other site makes a browser send it. */
export class SessionCookie {
  readonly #name: string;
  readonly #options: { path: string; httpOnly: boolean; sameSite: 'strict'; secure: boolean };

  /** @param secure whether browsers reach the server over TLS */
  constructor(secure: boolean) {
    // A browser takes the prefix from this very host only, and only over TLS.
    this.#name = secure ? '__Host-quarry_session' : 'quarry_session';
    this.#options = { path: '/', httpOnly: true, sameSite: 'strict', secure };
  }

  read({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.#name];
  }

  write(reply: FastifyReply, id: string): void {
    reply.setCookie(this.#name, id, { ...this.#options, maxAge: SESSION_MS / 1000 });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#name, this.#options);
  }
}

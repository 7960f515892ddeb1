import { randomBytes } from 'node:crypto';
import { signRequest } from '../../bittensor/signed-requests/sign-request.ts';
import type { Signer } from '../../bittensor/signer.ts';
import { ROUTES } from '../../subnets/quasar/competition/routes.ts';
import { COMPETITION_PATH, COMPETITION_TAG } from '../../subnets/quasar/competition/wire.ts';
import type { PreparedRequest } from '../http-load.ts';

/** Network addresses that ask, through a proxy: so many that none asks too often. */
const ADDRESSES = 1_000;

/** What is asked in a bench. */
export type AskedRoute = 'current' | 'submissions' | 'commit';

/** Many hotkeys, which ask a competition in turns. */
export class Callers {
  readonly #server: string;
  readonly #keys: Signer[];
  #asked = 0;

  /** @param server ss58 of who serves the competition @param keys so many that none asks more than 10 times in a minute */
  constructor(server: string, keys: Signer[]) {
    this.#server = server;
    this.#keys = keys;
  }

  /** Signed where the route wants it, and good for one use. */
  requests(route: AskedRoute, count: number): Promise<PreparedRequest[]> {
    return Promise.all(Array.from({ length: count }, () => this.#request(route)));
  }

  async #request(route: AskedRoute): Promise<PreparedRequest> {
    const at = this.#asked++;
    const key = this.#keys[at % this.#keys.length] as Signer;
    const [method, pattern] = ROUTES[route].at.split(' ') as ['GET' | 'POST', string];
    const path = `${COMPETITION_PATH}${pattern}`;
    const body = route === 'commit' ? newCommitment() : undefined;
    const signed = { tag: COMPETITION_TAG, server: this.#server, method, path, timestamp: Date.now() };
    const isOpen = ROUTES[route].access === 'open';
    return {
      ...{ method, path, ...(body !== undefined && { body }) },
      headers: {
        'x-forwarded-for': `10.0.${Math.floor((at % ADDRESSES) / 250)}.${(at % ADDRESSES) % 250}`,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(body.length) }),
        ...(!isOpen && (await signRequest(key, { ...signed, body: body === undefined ? body : Buffer.from(body) }))),
      },
    };
  }
}

const newCommitment = () => JSON.stringify({ track: 'kernel', round: 1, commitment: randomBytes(32).toString('hex') });

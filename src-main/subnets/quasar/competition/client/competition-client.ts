import type { z } from 'zod';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { jsonExcess } from '../../../../base/json-shape.ts';
import { parsedJson } from '../../../../base/json-text.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { wholeBody } from '../../../../base/whole-body.ts';
import { safeUrl } from '../../../../bittensor/signed-requests/safe-url.ts';
import { type RequestSigner, signRequest } from '../../../../bittensor/signed-requests/sign-request.ts';
import { toldRefusal } from '../../../../bittensor/signed-requests/told-refusal.ts';
import { ROUTES, type Route, type RouteName } from '../routes.ts';
import { MOST_ARTEFACT_BYTES } from '../rules/verdict.ts';
import {
  COMPETITION_PATH,
  COMPETITION_TAG,
  type CompetitionErrorCode,
  type CurrentRound,
  errorSchema,
  type Leaderboard,
  MAX_RECORD_BYTES,
  type Reveal,
  type RoundView,
  type SignedRecord,
  type SubmissionView,
} from '../wire.ts';
import { CompetitionRefusal, nonsense, refused, unreachable, untrue } from './competition-problems.ts';

export interface CompetitionClientOptions {
  /** `https://…`, or `http://` on this computer. What stands behind the host is not looked at. */
  url: string;
  fetch?: typeof globalThis.fetch;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
  /** For a whole answer, milliseconds. Default 30,000 */
  answerMs?: number;
}

/** Who asks, and whom: what is signed for one server is good for no other. */
export interface Asking {
  /** ss58 of the server’s own key. */
  server: string;
  signer: RequestSigner;
}

interface Wanted {
  /** In the place of what stands after a colon in the route. */
  at?: string | number;
  query?: { before?: number | undefined };
  body?: unknown;
  /** What the answer may have, bytes. */
  most?: number;
  as?: Asking;
}

/** A page of submissions with their reasons, or a leader board, is below this. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Commas and colons of the fullest record: a thousand submissions with their verdicts. */
const MOST_MARKS = 1_000_000;
const MOST_LEVELS = 40;
const ANSWER_MS = 30_000;

/**
 * Speaks with one server of competitions, a request at a time and nothing twice: who wants to try again does so. Each answer is measured before it is read, and read
 * before it is believed. All of it throws {@link CompetitionRefusal}, DEADLINE (nobody is there) and PROTOCOL (an answer that makes no sense).
 */
export class CompetitionClient {
  /** `host:port` */
  readonly host: string;
  readonly url: string;
  readonly #options: Required<CompetitionClientOptions>;

  /** @throws BAD_REQUEST for an address that is neither HTTPS nor on this computer */
  constructor(options: CompetitionClientOptions) {
    const url = safeUrl(options.url);
    if (!url) throw refused(say('competitor.notSafe', { url: options.url.slice(0, 200) }), 'server');
    this.#options = { fetch: globalThis.fetch, now: Date.now, answerMs: ANSWER_MS, ...options };
    this.url = url.origin;
    this.host = url.host;
  }

  /** ss58 of whoever serves it. */
  async server(signal: AbortSignal): Promise<string> {
    return (await this.#json('health', {}, signal)).server;
  }

  current(signal: AbortSignal): Promise<CurrentRound> {
    return this.#json('current', {}, signal);
  }

  /** The newest first. @param before a round’s number */
  rounds(before: number | undefined, signal: AbortSignal): Promise<{ rounds: RoundView[]; more: boolean }> {
    return this.#json('rounds', { query: { before } }, signal);
  }

  /** One round. @throws BAD_REQUEST with the refusal NOT_FOUND where there is none */
  async round(number: number, signal: AbortSignal): Promise<RoundView> {
    const [found] = (await this.rounds(number + 1, signal)).rounds;
    if (found?.round === number) return found;
    throw new CompetitionRefusal({ code: 'NOT_FOUND', message: `round ${number}` });
  }

  async leaderboard(round: number, signal: AbortSignal): Promise<Leaderboard> {
    return this.#ofRound(round, await this.#json('leaderboard', { at: round }, signal));
  }

  commit(as: Asking, body: { track: string; round: number; commitment: string }, signal: AbortSignal) {
    return this.#json('commit', { as, body }, signal);
  }

  reveal(as: Asking, id: string, body: Reveal, signal: AbortSignal): Promise<SubmissionView> {
    return this.#json('reveal', { as, at: id, body }, signal);
  }

  submission(as: Asking, id: string, signal: AbortSignal): Promise<SubmissionView> {
    return this.#json('submission', { as, at: id }, signal);
  }

  /** The signed record of a round that has ended. Nothing of it is checked here but its shape. */
  async record(as: Asking, round: number, signal: AbortSignal): Promise<SignedRecord> {
    const signed = await this.#json('record', { as, at: round, most: MAX_RECORD_BYTES + 1_024 }, signal);
    this.#ofRound(round, signed.record);
    return signed;
  }

  /** The bytes of an artefact that is public. @throws PROTOCOL for other bytes than those of this hash */
  async artefact(as: Asking, hash: string, signal: AbortSignal): Promise<Buffer> {
    const most = Math.max(...Object.values(MOST_ARTEFACT_BYTES));
    const bytes = await this.#bytes('artefact', { as, at: hash, most }, signal);
    if (sha256(bytes).toString('hex') === hash) return bytes;
    throw untrue(say('competitor.otherArtefact'));
  }

  #ofRound<Answer extends { round: number }>(round: number, answer: Answer): Answer {
    if (answer.round === round) return answer;
    throw nonsense(this.host, `round ${answer.round}`);
  }

  async #json<Name extends Exclude<RouteName, 'artefact'>>(
    name: Name,
    wanted: Wanted,
    signal: AbortSignal,
  ): Promise<z.infer<(typeof ROUTES)[Name]['answer']>> {
    const bytes = await this.#bytes(name, wanted, signal);
    const what = ROUTES[name].at;
    if (jsonExcess(bytes, MOST_LEVELS, [], MOST_MARKS)) throw nonsense(this.host, what);
    const { data } = ROUTES[name].answer.safeParse(parsedJson(bytes.toString('utf8')));
    if (data === undefined) throw nonsense(this.host, what);
    return data as z.infer<(typeof ROUTES)[Name]['answer']>;
  }

  /** @param signal ends it without a word about the server */
  async #bytes(name: RouteName, { most = MAX_ANSWER_BYTES, ...wanted }: Wanted, signal: AbortSignal): Promise<Buffer> {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(this.#options.answerMs)]);
    try {
      const response = await this.#send(ROUTES[name], wanted, patience);
      const bytes = await wholeBody(response, most, () => nonsense(this.host, `${most} B`));
      if (response.ok) return bytes;
      throw this.#refusal(response, bytes);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof QuarryError ? error : unreachable(this.host, error);
    }
  }

  async #send(route: Route, { at, query, body, as }: Omit<Wanted, 'most'>, signal: AbortSignal): Promise<Response> {
    const [method = 'GET', pattern = ''] = route.at.split(' ');
    const search = query?.before === undefined ? '' : `?before=${query.before}`;
    const path = `${COMPETITION_PATH}${pattern.replace(/:\w+/, String(at))}${search}`;
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const request = { tag: COMPETITION_TAG, method, path, body: bytes, timestamp: this.#options.now() };
    const signed = as ? await signRequest(as.signer, { ...request, server: as.server }) : {};
    return this.#options.fetch(`${this.url}${path}`, {
      method,
      headers: { ...(bytes && { 'content-type': 'application/json' }), ...signed },
      ...(bytes && { body: new Uint8Array(bytes) }),
      redirect: 'error',
      signal,
    });
  }

  #refusal(response: Response, bytes: Buffer): QuarryError {
    const options = { schema: errorSchema, now: this.#options.now() };
    const told = toldRefusal<CompetitionErrorCode>(response, bytes.toString('utf8'), options);
    if (!told) return nonsense(this.host, `HTTP ${response.status}`);
    return new CompetitionRefusal(told.error, told.isClockOff ? say('competitor.clock') : undefined);
  }
}

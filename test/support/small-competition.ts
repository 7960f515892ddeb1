import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sha256 } from '../../src-main/base/sha256.ts';
import { SignatureCheck } from '../../src-main/bittensor/axon/signature.ts';
import { SIGNED_HEADERS, signedText } from '../../src-main/bittensor/signed-requests/signed-text.ts';
import type { Signer } from '../../src-main/bittensor/signer.ts';
import { firstBaselines, nextBaselines } from '../../src-main/subnets/quasar/competition/rules/baselines.ts';
import { commitmentOf, submissionId } from '../../src-main/subnets/quasar/competition/rules/commitment.ts';
import { artefactKey, copiesIn } from '../../src-main/subnets/quasar/competition/rules/copies.ts';
import { LEAGUES, leagueOf } from '../../src-main/subnets/quasar/competition/rules/leagues.ts';
import { rank } from '../../src-main/subnets/quasar/competition/rules/ranking.ts';
import { receiptBytes, recordBytes, recordHash } from '../../src-main/subnets/quasar/competition/rules/record.ts';
import { seedHash } from '../../src-main/subnets/quasar/competition/rules/seeds.ts';
import { sharesOf } from '../../src-main/subnets/quasar/competition/rules/shares.ts';
import type { Track, Verdict } from '../../src-main/subnets/quasar/competition/rules/verdict.ts';
import {
  COMPETITION_PATH,
  COMPETITION_TAG,
  type CompetitionErrorCode,
  commitSchema,
  type Leaderboard,
  type Recorded,
  type RoundRecord,
  type RoundView,
  revealSchema,
  type SubmissionView,
} from '../../src-main/subnets/quasar/competition/wire.ts';
import { testSigner } from './bittensor-signer.ts';

/** What stands in the place of an answer: a refusal, a text, or silence. `after` does the thing first. */
type Answer =
  | { status: number; code: CompetitionErrorCode; message?: string; retryAfter?: number }
  | 'cut'
  | { text: string };
export type Fault = Answer | { after: Answer };

interface Kept {
  view: SubmissionView;
  hotkey: string;
  salt?: string;
  artefact?: Buffer;
  revealedBlock?: number;
}

/** Blocks from a commitment to its reveal. */
const UNTIL_REVEAL = 100;
export const BASELINE = Buffer.from('a reference');
const BEGINS_WITH = sha256(BASELINE).toString('hex');
export const FASTER: Verdict = {
  right: true,
  ratio: { median: 1.5, low: 1.4, high: 1.6, pairs: 10 },
  ...{ tokensPerSecond: 1_500, baselineTokensPerSecond: 1_000 },
};

/**
 * A competition in memory by the real rules, with a block that the test moves on and a judge that the test is. Each request is checked as a real server checks it; each route can be put
 * out of order.
 */
export class SmallCompetition {
  /** Every request as `POST /commitments`, in order. */
  readonly asked: string[] = [];
  readonly submissions = new Map<string, Kept>();
  readonly faults = new Map<string, Fault[]>();
  readonly records = new Map<number, { record: RoundRecord; signature: string }>();
  readonly rounds: RoundView[] = [];
  block = 1_000;
  /** What is told to be of an own submission: for servers that lie. */
  tell: (view: SubmissionView) => SubmissionView = (view) => view;
  /** What is told to be the leader board of a round: for servers that lie. */
  tellBoard: (board: Leaderboard) => Leaderboard = (board) => board;
  /** What every revealed artefact is found to be. */
  verdict: Verdict = FASTER;
  readonly #key: Signer;
  /** Of rounds that have ended, as they were then. */
  readonly #boards = new Map<number, Leaderboard>();
  readonly #signatures: SignatureCheck;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  private constructor(key: Signer, signatures: SignatureCheck) {
    this.#key = key;
    this.#signatures = signatures;
    this.#open();
  }

  /** @param uri of the server’s own key */
  static async open(uri = '//Server', port = 0): Promise<SmallCompetition> {
    const made = new SmallCompetition(await testSigner(uri), await SignatureCheck.open());
    await new Promise<void>((done) => made.#server.listen(port, '127.0.0.1', done));
    return made;
  }

  get key(): string {
    return this.#key.address;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get round(): number {
    return this.#current.round;
  }

  fail(route: string, ...faults: Fault[]): void {
    this.faults.set(route, [...(this.faults.get(route) ?? []), ...faults]);
  }

  count(route: string): number {
    return this.asked.filter((one) => one === route).length;
  }

  /** Judges what was revealed. */
  judge(): void {
    for (const { view } of this.submissions.values()) {
      if (view.state !== 'revealed') continue;
      Object.assign(view, { state: this.verdict.right ? 'right' : 'wrong', verdict: this.verdict });
    }
  }

  /** Ends the open round, with its record, and opens the next. */
  async end(): Promise<void> {
    const round = this.#current;
    const own = [...this.submissions.values()].filter(({ view }) => view.countsIn === round.round);
    for (const { view } of own)
      if (view.state === 'committed') view.state = view.revealBlock > this.block ? 'committed' : 'missed';
    for (const { view } of own) if (view.state === 'committed') view.countsIn++;
    const recorded = own.flatMap(asRecorded).sort((a, b) => a.number - b.number);
    const owners = new Map(this.#known(recorded).map((one) => [artefactKey(one), one.hotkey]));
    for (const [id, state] of copiesIn(recorded, owners)) {
      for (const one of recorded) if (one.id === id) Object.assign(one, { state, verdict: null });
    }
    const ranked = rank(recorded.flatMap(({ verdict, ...one }) => (verdict ? [{ ...one, verdict }] : [])));
    const { shares } = sharesOf(ranked, 0, 'burnt');
    const record: RoundRecord = {
      ...{ version: 1, server: this.key, round: round.round, openedAt: round.openedAt, closedAt: Date.now() },
      ...{ openedBlock: round.openedBlock, closedBlock: this.block, endedAt: Date.now() },
      ...{
        seed: seedOf(round.round),
        seedSha256: round.seedSha256,
        baselines: round.baselines ?? [],
        submissions: recorded,
      },
      ...{ missed: own.filter(({ view }) => view.state === 'missed').length, known: this.#known(recorded) },
      ...{ ranking: ranked.map(({ id }) => id), unclaimed: 'burnt', carriedIn: 0, shares, interventions: [] },
      previous: round.round > 1 ? recordHash(this.records.get(round.round - 1)?.record ?? {}) : null,
    };
    this.records.set(round.round, { record, signature: await this.sign(recordBytes(record)) });
    for (const [at, { id }] of ranked.entries()) {
      const share = shares.find(({ submission }) => submission === id)?.share ?? 0;
      Object.assign(this.submissions.get(id)?.view ?? {}, { place: at + 1, share });
    }
    for (const { id, state } of recorded) Object.assign(this.submissions.get(id)?.view ?? {}, { state });
    Object.assign(round, { state: 'ended', endedAt: Date.now(), closedBlock: this.block, seed: seedOf(round.round) });
    this.#boards.set(round.round, this.#board(round.round));
    this.#open(nextBaselines(round.baselines ?? [], ranked, []));
  }

  async sign(bytes: Uint8Array): Promise<string> {
    return Buffer.from(await this.#key.sign(bytes)).toString('hex');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  get #current(): RoundView {
    return this.rounds.at(-1) as RoundView;
  }

  /** Whose the artefacts are that were in earlier rounds. */
  #known(recorded: readonly Recorded[]): RoundRecord['known'] {
    const before = [...this.records.values()].flatMap(({ record }) => record.submissions);
    const shas = [...new Set(recorded.map((one) => one.sha256))];
    return shas.flatMap((sha) => {
      const first = before.find((one) => one.sha256 === sha);
      return first ? [{ track: first.track, sha256: sha, hotkey: first.hotkey }] : [];
    });
  }

  #open(baselines = firstBaselines({ kernel: BEGINS_WITH, gpu: BEGINS_WITH })): void {
    const round = this.rounds.length + 1;
    this.rounds.push({
      ...{ round, state: 'open', openedAt: Date.now(), endsAt: Date.now() + 3_600_000, openedBlock: this.block },
      ...{
        closedBlock: null,
        endedAt: null,
        seedSha256: seedHash(seedOf(round)),
        seed: null,
        baselines,
        submissions: {},
      },
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { method = '', url = '' } = request;
    const path = url.slice(COMPETITION_PATH.length);
    const route = `${method} ${path.split('?')[0]?.replaceAll(/\/([0-9a-f]{32,64}|\d+)/g, '/:')}`;
    this.asked.push(route);
    const answer = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const fault = this.faults.get(route)?.shift();
    const instead = fault !== undefined && fault !== 'cut' && 'after' in fault ? fault.after : fault;
    try {
      const given =
        fault === undefined || instead !== fault ? await this.#answer(route, path, request, body) : undefined;
      if (instead === 'cut') return void response.destroy();
      if (instead === undefined && Buffer.isBuffer(given)) return void response.end(given);
      if (instead === undefined) return void answer(route === 'POST /commitments' ? 201 : 200, given);
      if ('text' in instead) return void response.end(instead.text);
      const { status, code, message = 'as the test says', retryAfter } = instead;
      answer(status, { error: { code, message, ...(retryAfter !== undefined && { retryAfter }) } });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      answer(error.status, { error: { code: error.code, message: error.message } });
    }
  }

  async #answer(route: string, path: string, request: IncomingMessage, body: Buffer): Promise<unknown> {
    const id = /[0-9a-f]{32,64}/.exec(path)?.[0] ?? '';
    const number = Number(/\/rounds\/(\d+)/.exec(path)?.[1]);
    const before = Number(/before=(\d+)/.exec(path)?.[1] ?? Number.POSITIVE_INFINITY);
    if (route === 'GET /health') return { status: 'ok', server: this.key, version: 1 };
    if (route === 'GET /rounds/current') return this.#currentView();
    if (route === 'GET /rounds')
      return { rounds: this.rounds.filter(({ round }) => round < before).reverse(), more: false };
    if (route === 'GET /rounds/:/leaderboard') return this.tellBoard(this.#boards.get(number) ?? this.#board(number));
    const hotkey = this.#caller(request, body);
    if (route === 'GET /rounds/:/record') return this.records.get(number) ?? refuse(404, 'NOT_FOUND');
    if (route === 'GET /artefacts/:') return this.#artefact(id);
    if (route === 'POST /commitments')
      return await this.#commit(hotkey, commitSchema.parse(JSON.parse(body.toString())));
    const kept = this.submissions.get(id);
    if (kept?.hotkey !== hotkey) return refuse(404, 'NOT_FOUND');
    if (route === 'POST /submissions/:/reveal') this.#reveal(kept, revealSchema.parse(JSON.parse(body.toString())));
    return this.#view(kept);
  }

  /** The hotkey that signed just this request. */
  #caller({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string {
    const head = (name: keyof typeof SIGNED_HEADERS) => String(headers[SIGNED_HEADERS[name]]);
    const bodySha256 = sha256(body).toString('hex');
    const of = { tag: COMPETITION_TAG, server: this.key, hotkey: head('hotkey'), method, path: url, bodySha256 };
    const text = signedText({ ...of, timestamp: Number(head('timestamp')), nonce: head('nonce') });
    if (!this.#signatures.isRight(text, Buffer.from(head('signature'), 'hex'), of.hotkey)) refuse(401, 'UNAUTHORIZED');
    return of.hotkey;
  }

  async #commit(hotkey: string, { track, round, commitment }: { track: Track; round: number; commitment: string }) {
    if (round !== this.round) refuse(400, 'BAD_REQUEST', `Round ${this.round} is open.`);
    const id = submissionId({ server: this.key, hotkey, commitment });
    if (this.submissions.has(id)) refuse(409, 'CONFLICT');
    const [number, block, at] = [this.submissions.size + 1, this.block, Date.now()];
    const receipt = await this.sign(receiptBytes({ server: this.key, hotkey, commitment, track, number, block, at }));
    const view: SubmissionView = {
      ...{
        id,
        number,
        state: 'committed',
        track,
        round,
        countsIn: round,
        commitment,
        committedAt: at,
        committedBlock: block,
      },
      ...{
        revealBlock: block + UNTIL_REVEAL,
        blocksLeft: UNTIL_REVEAL,
        aboutMs: 0,
        receipt,
        league: null,
        tokens: null,
      },
      ...{ sha256: null, revealedAt: null, verdict: null, reason: null, place: null, share: 0 },
    };
    this.submissions.set(id, { view, hotkey });
    return this.#view({ view, hotkey });
  }

  #reveal(kept: Kept, { salt, artefact, ...revealed }: ReturnType<typeof revealSchema.parse>): void {
    const { view, hotkey } = kept;
    if (this.block < view.revealBlock) refuse(425, 'TOO_EARLY', `${view.revealBlock - this.block} blocks are left.`);
    if (view.state !== 'committed') refuse(409, 'CONFLICT');
    const bytes = Buffer.from(artefact, 'base64');
    const hash = sha256(bytes).toString('hex');
    if (commitmentOf({ hotkey, sha256: hash, salt, ...revealed }) !== view.commitment) refuse(400, 'MISMATCH');
    const { tokens } = revealed;
    Object.assign(view, { state: 'revealed', sha256: hash, tokens, league: leagueOf(tokens), revealedAt: Date.now() });
    Object.assign(kept, { salt, artefact: bytes, revealedBlock: this.block });
  }

  #view({ view }: Kept): SubmissionView {
    const blocksLeft = Math.max(0, view.revealBlock - this.block);
    return this.tell({ ...view, blocksLeft, aboutMs: 0 });
  }

  #artefact(hash: string): Buffer {
    const found = [...this.submissions.values()].find(({ view }) => view.sha256 === hash)?.artefact;
    if (sha256(BASELINE).toString('hex') === hash) return BASELINE;
    return found ?? refuse(404, 'NOT_FOUND');
  }

  #currentView() {
    return {
      ...{ ...this.#current, server: this.key, block: this.block, clock: 'local', blockMs: 12_000 },
      ...{ blocksUntilReveal: UNTIL_REVEAL, lastBlockToCommit: this.block + 200, leagues: LEAGUES },
      ...{ places: [60, 25, 10, 5], artefactBytes: { kernel: 1 << 20 } },
      tracks: [
        { track: 'kernel', closed: null },
        { track: 'gpu', closed: 'no-card' },
      ],
    };
  }

  #board(number: number): Leaderboard {
    const signed = this.records.get(number);
    const { state } = this.rounds[number - 1] ?? refuse(404, 'NOT_FOUND');
    const { ranking = [], submissions = [], shares = [] } = signed?.record ?? {};
    const places = ranking.map((submission, at) => {
      const { hotkey, track, tokens, verdict } = submissions.find(({ id }) => id === submission) as Recorded;
      const { ratio, tokensPerSecond } = verdict as Extract<Verdict, { right: true }>;
      const league = leagueOf(tokens);
      const weighted = ratio.median * (LEAGUES.find(({ from }) => from === league)?.multiplier ?? 0);
      const share = shares.find((one) => one.submission === submission)?.share ?? 0;
      return { place: at + 1, submission, hotkey, track, league, tokens, ratio, weighted, tokensPerSecond, share };
    });
    const won = shares.reduce((sum, { share }) => sum + share, 0);
    return { round: number, state, places, pot: 10_000, unclaimed: 10_000 - won };
  }
}

class Refused extends Error {
  readonly status: number;
  readonly code: CompetitionErrorCode;

  constructor(status: number, code: CompetitionErrorCode, message = code as string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

function refuse(status: number, code: CompetitionErrorCode, message?: string): never {
  throw new Refused(status, code, message);
}

const seedOf = (round: number) => sha256(`the seed of round ${round}`).toString('hex');

function asRecorded({ view, hotkey, salt, revealedBlock }: Kept): Recorded[] {
  const { sha256: hash, tokens, revealedAt, state } = view;
  if (hash === null || tokens === null || revealedAt === null || salt === undefined || revealedBlock === undefined)
    return [];
  const { id, number, track, commitment, round, committedAt, committedBlock, revealBlock, verdict } = view;
  return [
    {
      ...{ id, number, hotkey, track, commitment, round, committedAt, committedBlock, revealBlock },
      ...{ revealedAt, revealedBlock, tokens, sha256: hash, salt, state: state as Recorded['state'], verdict },
    },
  ];
}

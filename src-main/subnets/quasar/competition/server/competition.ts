import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sentence } from '../../../../../src-preload/contract/saying.ts';
import { closeAll } from '../../../../base/close-all.ts';
import { ignoring } from '../../../../base/swallowed.ts';
import { Turns } from '../../../../base/turns.ts';
import type { NonceMarkStore } from '../../../../bittensor/axon/nonces.ts';
import { SignatureCheck } from '../../../../bittensor/axon/signature.ts';
import { Gate, perMinute, type Rates } from '../../../../bittensor/signed-requests/gate.ts';
import type { Signer } from '../../../../bittensor/signer.ts';
import type { TlsPaths } from '../../../../http/tls-files.ts';
import type { CompetitionStore } from '../../../../store/competition/competition-store.ts';
import type { RouteName } from '../routes.ts';
import { type ClosedTracks, closedWords } from '../rules/tracks.ts';
import type { Judge, Track } from '../rules/verdict.ts';
import {
  type Bans,
  COMPETITION_TAG,
  type CurrentRound,
  type Leaderboard,
  MOST_ROUNDS_LISTED,
  type RoundView,
  type SignedRecord,
  type SubmissionView,
} from '../wire.ts';
import { AddressBans } from './address-bans.ts';
import { bansView, competitionAnswers } from './answers.ts';
import { ArtefactFiles } from './artefact-files.ts';
import { type BlockClock, ChainClock, LocalClock } from './block-clock.ts';
import { CompetitionServer } from './competition-server.ts';
import { CompetitionViews } from './competition-views.ts';
import { Entries } from './entries.ts';
import { type Judging, judgeRound } from './judging.ts';
import { type MetagraphLookup, Roles } from './roles.ts';
import { Rounds } from './rounds.ts';
import type { CompetitionTerms } from './terms.ts';

export interface CompetitionOptions {
  /** The hotkey that serves it: callers sign for it, and it signs receipts and records. */
  server: Signer;
  host: string;
  port: number;
  tls: TlsPaths | undefined;
  behindProxy: boolean;
  /** Where artefacts lie. */
  folder: string;
  store: CompetitionStore;
  marks: NonceMarkStore;
  terms: CompetitionTerms;
  judge: Judge;
  /** What each track begins with. */
  baselines: Readonly<Record<Track, Uint8Array>>;
  /** Tracks that are not held here, and why. Default: all are */
  closed?: ClosedTracks;
  /** The chain, where there is one: its newest block, and who is on the subnet. */
  chain?: { head: () => Promise<number>; metagraph: MetagraphLookup } | undefined;
  /** Hotkeys that count as validators, and rao that others have at least. */
  trusted?: readonly string[];
  leastStake?: bigint;
  /** Told when something has changed. */
  onChange?: () => void;
  /** Unix milliseconds. Default Date.now */
  now?: () => number;
  /** Between two looks at whether it is time for something. Default 5,000 */
  lookMs?: number;
  /** 32 bytes for a round’s seed. Default: of the system. */
  draw?: () => Buffer;
  log: Logger;
}

/** How a competition is doing. */
export interface CompetitionState {
  /** ss58 of the hotkey that serves it. */
  server: string;
  url: string;
  /** Which is open, and what is being judged of the one before. */
  open: CurrentRound;
  judging: Judging | null;
  /** Bytes of artefacts. */
  bytes: number;
  banned: number;
  appeals: number;
  answered: number;
  refused: ReadonlyMap<number, number>;
}

/** How often it may be asked (10 in 60 seconds: QUASAR, A10, where nobody is held to it). */
export const RATES: Rates<RouteName> = {
  address: { perSecond: 5, burst: 60 },
  hotkey: perMinute(10),
  routes: {},
};

/** Everything that stands beside each other in one that is open. */
interface Rooms {
  files: ArtefactFiles;
  bans: AddressBans;
  rounds: Rounds;
  views: CompetitionViews;
  gate: Gate<RouteName>;
  server: CompetitionServer;
}

/** A competition: who commits, reveals, is judged, ranked and gets which share. All that was said to anybody is on the disk before. A resource. */
export class Competition {
  readonly #options: CompetitionOptions;
  readonly #closing = new AbortController();
  readonly #now: () => number;
  #rooms: Rooms;
  #judging: Judging | undefined;
  #judgingWork: Promise<void> | undefined;
  #forgetting: Promise<void> | undefined;
  #hasMore = false;
  readonly #looks = new Turns();

  private constructor(options: CompetitionOptions, rooms: (self: { changed: () => void }) => Rooms) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#rooms = rooms({ changed: () => void this.look().catch(ignoring('the next look says it again')) });
  }

  /** @throws QuarryError PORT_IN_USE, CONFIG_INVALID, DATABASE_CORRUPT */
  static async open(options: CompetitionOptions): Promise<Competition> {
    const { server, store, folder, chain, now = Date.now } = options;
    const signatures = await SignatureCheck.open();
    const files = new ArtefactFiles(folder);
    await files.open();
    const { kernel, gpu } = options.baselines;
    const first = { kernel: await files.keep(kernel), gpu: await files.keep(gpu) };
    const bans = await AddressBans.open(store.guards, now);
    const clock: BlockClock = chain
      ? new ChainClock(chain.head, now)
      : await LocalClock.open({ server, store: store.guards, now });
    const gate = await Gate.open<RouteName>({
      ...{ tag: COMPETITION_TAG, name: 'competition', server: server.address, rates: RATES },
      ...{ store: store.guards, marks: options.marks, signatures, now, onForged: (ip) => bans.failed(ip) },
    });
    const opened = new Competition(options, ({ changed }) =>
      roomsOf(options, { files, bans, clock, gate, first, changed }),
    );
    await opened.#open();
    opened.#tellClosed();
    return opened;
  }

  /** Where programs of this machine find it. */
  get url(): string {
    return this.#rooms.server.url;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await closeAll(
      () => this.#rooms.server.close(),
      () => this.#looks.ended(),
      () => this.#judgingWork ?? Promise.resolve(),
      () => this.#forgetting ?? Promise.resolve(),
    );
  }

  async state(): Promise<CompetitionState> {
    const { files, bans, views, server } = this.#rooms;
    const banned = bans.banned();
    return {
      ...{ server: this.#options.server.address, url: this.url, open: await views.current() },
      ...{ judging: this.#judging ?? null, bytes: files.bytes, banned: banned.length },
      appeals: banned.filter(({ appeal }) => appeal !== null).length,
      ...server.report(),
    };
  }

  /** The newest first. @param before a round’s number */
  rounds(before?: number): Promise<{ rounds: RoundView[]; more: boolean }> {
    return this.#rooms.views.rounds(before, MOST_ROUNDS_LISTED);
  }

  /** @throws CompetitionProblem NOT_FOUND */
  leaderboard(round: number): Promise<Leaderboard> {
    return this.#rooms.views.leaderboard(round);
  }

  /** Everybody’s that count in a round, in the order of commitment. */
  submissions(round: number): Promise<(SubmissionView & { hotkey: string })[]> {
    return this.#rooms.views.submissionsIn(round);
  }

  /** @throws CompetitionProblem NOT_FOUND, CONFLICT before it has ended */
  record(round: number): Promise<SignedRecord> {
    return this.#rooms.views.record(round);
  }

  bans(): Bans['bans'] {
    return bansView(this.#rooms.bans).bans;
  }

  /** @returns whether it was banned */
  async lift(address: string): Promise<boolean> {
    return this.#rooms.bans.lift(address);
  }

  /** @throws CompetitionProblem CONFLICT where it is not the open one */
  async extend(round: number, hours: number): Promise<RoundView> {
    return this.#changed(await this.#rooms.rounds.extend(round, hours));
  }

  /** @throws CompetitionProblem CONFLICT where it is not the open one */
  async end(round: number): Promise<RoundView> {
    return this.#changed(await this.#rooms.rounds.closeNow(round, this.#options.terms.hours));
  }

  /** Looks whether it is time for something, which it does by itself now and then. @throws what the database or the chain throws */
  look(): Promise<void> {
    return this.#looks.take(() => this.#look());
  }

  /** Resolves when nothing is judged any more that could be now. */
  async judged(): Promise<void> {
    await this.look();
    await this.#judgingWork;
  }

  async #open(): Promise<void> {
    try {
      await this.#rooms.rounds.opened();
      await this.#rooms.server.open();
    } catch (error) {
      await this.close();
      throw error;
    }
    void this.#keepLooking();
  }

  #tellClosed(): void {
    const { closed = {}, log } = this.#options;
    for (const [track, why] of Object.entries(closed))
      if (why) log.info({ track, why: sentence(closedWords(why)) }, 'a track of the competition is closed');
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#closing;
    const { lookMs = 5_000, log } = this.#options;
    while (!signal.aborted) {
      await this.look().catch((err: unknown) => log.warn({ err }, 'the competition could not look at its rounds'));
      await pause(lookMs, undefined, { signal, ref: false }).catch(ignoring('it closes'));
    }
  }

  async #look(): Promise<void> {
    if (await this.#rooms.rounds.closeInTime()) this.#options.onChange?.();
    this.#hasMore = true;
    this.#judgingWork ??= this.#judgeWhile().finally(() => {
      this.#judgingWork = undefined;
    });
    this.#forgetting ??= this.#forget().finally(() => {
      this.#forgetting = undefined;
    });
  }

  /** Beside all else: after a flood of requests it takes long. */
  async #forget(): Promise<void> {
    try {
      await this.#rooms.gate.forget(this.#closing.signal);
    } catch (err) {
      this.#options.log.warn({ err }, 'old requests to the competition could not be forgotten');
    }
  }

  async #judgeWhile(): Promise<void> {
    while (this.#hasMore && !this.#closing.signal.aborted) {
      this.#hasMore = false;
      await this.#judgeAll();
    }
  }

  /** Rounds one after the other: what the later one is measured against comes out of the earlier one. */
  async #judgeAll(): Promise<void> {
    const { store, judge, log } = this.#options;
    const { files, rounds } = this.#rooms;
    const { signal } = this.#closing;
    try {
      for (;;) {
        const round = await store.rounds.oldest('judging');
        if (!round || signal.aborted) return;
        if (((await store.submissions.nextTry(round.number)) ?? 0) > this.#now()) return;
        const onProgress = (judging: Judging | undefined) => {
          this.#judging = judging;
          this.#options.onChange?.();
        };
        const isWhole = await judgeRound(round, { store, files, judge, signal, onProgress, now: this.#now, log });
        if (!isWhole) return;
        await rounds.end(round);
        this.#options.onChange?.();
      }
    } catch (err) {
      log.error({ err }, 'a round could not be judged');
    }
  }

  async #changed(...[row]: Parameters<CompetitionViews['round']>): Promise<RoundView> {
    await this.look();
    this.#options.onChange?.();
    return this.#rooms.views.round(row);
  }
}

function roomsOf(
  options: CompetitionOptions,
  made: Pick<Rooms, 'files' | 'bans' | 'gate'> & {
    clock: BlockClock;
    first: Record<Track, string>;
    changed: () => void;
  },
): Rooms {
  const {
    server: signer,
    store,
    terms,
    chain,
    trusted = [],
    leastStake = 0n,
    draw,
    closed = {},
    now = Date.now,
  } = options;
  const { files, bans, gate, clock, first, changed } = made;
  const server = signer.address;
  const roles = new Roles({ server, metagraph: chain?.metagraph, trusted, leastStake });
  const rounds = new Rounds({ server: signer, store, clock, terms, first, now, ...(draw && { draw }) });
  const views = new CompetitionViews({ server, store, clock, rounds, terms, closed, now });
  const entries = new Entries({ server: signer, store, files, bans, clock, terms, closed, now });
  const answers = competitionAnswers({
    ...{ server, views, entries, rounds, files, bans, roles, terms, onChange: changed },
  });
  return {
    files,
    bans,
    rounds,
    views,
    gate,
    server: new CompetitionServer({ ...options, gate, bans, roles, answers }),
  };
}

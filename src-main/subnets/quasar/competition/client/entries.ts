import { randomBytes } from 'node:crypto';
import type { EntryDraft, OwnEntry } from '../../../../../src-preload/contract/competition.ts';
import { MOST_ENTRIES_SHOWN } from '../../../../../src-preload/contract/competition-numbers.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import type { Changes } from '../../../../base/changes.ts';
import { errorView } from '../../../../base/error-view.ts';
import { TurnsOf } from '../../../../base/turns-of.ts';
import { SignatureCheck } from '../../../../bittensor/axon/signature.ts';
import type { CompetitionEntryStore, EntryRow } from '../../../../store/competition-entries.ts';
import { commitmentOf, submissionId } from '../rules/commitment.ts';
import type { Track } from '../rules/verdict.ts';
import type { SubmissionState, SubmissionView } from '../wire.ts';
import type { Artefacts } from './artefacts.ts';
import { believed } from './believed.ts';
import type { Asking, CompetitionClient } from './competition-client.ts';
import { isRefusal, refused } from './competition-problems.ts';
import { publishedBy, warningsOf } from './draft-words.ts';
import { entryView } from './entry-view.ts';
import type { Servers } from './servers.ts';

/** What is to be submitted. */
export interface EntryWish {
  /** Of a file that is among the artefacts. */
  sha256: string;
  name: string;
  tokens: number;
  track: Track;
  server?: string | undefined;
  wallet?: string | undefined;
  hotkey?: string | undefined;
}

export interface EntriesOptions {
  store: CompetitionEntryStore;
  artefacts: Artefacts;
  servers: Servers;
  /** Looks whether an artefact computes what it is to. @throws BAD_REQUEST why it would be worth nothing */
  check: (artefact: Uint8Array, track: Track, signal: AbortSignal) => Promise<void>;
  /** Whether a node that stays reveals by itself. */
  reveals: () => boolean;
  /** Told when something of an entry has changed. */
  changes: Changes;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
}

/** Judged, or as good as: what becomes of it is known when its round has ended. */
const WAITS_FOR_END: readonly SubmissionState[] = ['copied', 'repeated', 'wrong', 'right'];

/**
 * Own submissions, from the file on the disk to a place in a round. Each step is written down before it is done, and each can be done again: the commitment and its id come out of
 * what was kept, so that a server which has it already says so.
 */
export class Entries {
  readonly #options: EntriesOptions;
  readonly #turns = new TurnsOf();
  #signatures: Promise<SignatureCheck> | undefined;

  constructor(options: EntriesOptions) {
    this.#options = options;
  }

  async list(): Promise<OwnEntry[]> {
    return (await this.#options.store.newest(MOST_ENTRIES_SHOWN)).map((row) => this.#view(row));
  }

  /**
   * Looks at what is to be submitted, keeps it, and says what that publishes. Nothing of it leaves this computer.
   * @throws BAD_REQUEST for what would be worth nothing
   */
  async prepare(wish: EntryWish, signal: AbortSignal): Promise<EntryDraft> {
    const { store, artefacts, servers, check } = this.#options;
    const bytes = await artefacts.read(wish.sha256);
    if (!bytes) throw refused(say('competitor.notHere'), 'sha256');
    await check(bytes, wish.track, signal);
    const client = servers.client(wish.server);
    const names = servers.names(wish);
    const current = await client.current(signal);
    const server = servers.expected(client, current.server);
    const { address: hotkey } = await servers.signer(names);
    const { sha256, tokens, track, name } = wish;
    const bound = { hotkey, track, sha256, tokens, round: current.round, salt: randomBytes(32).toString('hex') };
    const commitment = commitmentOf(bound);
    const row: EntryRow = {
      ...{ ...bound, commitment, id: submissionId({ server, hotkey, commitment }), server, url: client.url },
      ...{ wallet: names.wallet, hotkey_name: names.hotkey, bytes: bytes.length, name, created_at: this.#now() },
      ...{ step: 'kept', receipt: null, seen: null, error: null },
    };
    const warnings = warningsOf(row, current, await store.newest(MOST_ENTRIES_SHOWN));
    await store.add(row);
    this.#options.changes.tell();
    return { entry: this.#view(row), published: publishedBy(row, current, client.host), warnings };
  }

  /**
   * Sends the commitment of what was prepared. That somebody said yes is on the disk before it is sent, so that a node which is killed goes on with it.
   * @throws BAD_REQUEST where its round is over: then nothing was sent
   */
  async submit(id: string, signal: AbortSignal): Promise<OwnEntry> {
    const row = await this.#row(id);
    if (row.step === 'kept') {
      const { round } = await this.#client(row).current(signal);
      const over = { round: String(row.round), now: String(round) };
      if (round !== row.round) throw refused(say('competitor.roundOver', over), 'id', say('competitor.roundOver.hint'));
      await this.#options.store.change(id, ['kept'], { step: 'sending' });
      this.#options.changes.tell();
    }
    await this.commit(id, signal);
    return this.#view(await this.#row(id));
  }

  /** Goes on with a commitment that may have been sent, or not: once more does no harm. */
  commit(id: string, signal: AbortSignal): Promise<void> {
    return this.#step(id, ['sending'], async (row, client, as) => {
      const view = await this.#committed(row, client, as, signal);
      await this.#keep(row, view);
    });
  }

  /** Asks how it stands at the server, and reveals it where that may be and is wanted. */
  look(id: string, signal: AbortSignal): Promise<void> {
    return this.#step(id, ['there'], async (row, client, as) => {
      const view = await this.#seen(row, client, as, signal);
      const mayReveal = view.state === 'committed' && view.blocksLeft === 0 && this.#options.reveals();
      if (mayReveal) await this.#reveal(row, client, as, signal);
    });
  }

  /** Asks how all stand that may have changed, and reveals nothing. Why one could not be asked is kept with it; a server that does not answer is asked once. */
  async lookAtAll(signal: AbortSignal): Promise<void> {
    const silent = new Set<string>();
    for (const { id, url, step } of await this.#options.store.open()) {
      if (step !== 'there' || silent.has(url)) continue;
      try {
        await this.#step(id, ['there'], async (row, client, as) => void (await this.#seen(row, client, as, signal)));
      } catch (error) {
        signal.throwIfAborted();
        if (QuarryError.from(error).code === 'DEADLINE') silent.add(url);
      }
    }
  }

  /** Sends the artefact, with all that the commitment binds. @throws OVERLOADED where that is too early */
  async reveal(id: string, signal: AbortSignal): Promise<OwnEntry> {
    const { state } = this.#view(await this.#row(id));
    if (state !== 'committed') throw refused(say('competitor.notCommitted', { state }), 'id');
    await this.#step(id, ['there'], (row, client, as) => this.#reveal(row, client, as, signal));
    return this.#view(await this.#row(id));
  }

  /** @throws BAD_REQUEST for one that is under way */
  async forget(id: string): Promise<void> {
    const { store, artefacts, changes } = this.#options;
    const { step, sha256 } = await this.#row(id);
    if (step === 'sending' || step === 'there') {
      throw refused(say('competitor.cannotForget'), 'id', say('competitor.cannotForget.hint'));
    }
    await store.remove(id);
    if (!(await store.artefacts()).has(sha256)) await artefacts.remove(sha256);
    changes.tell();
  }

  /** One thing with an entry at a time; why it failed is kept with it. Nothing is done where it is at another step by now. */
  #step(
    id: string,
    steps: readonly EntryRow['step'][],
    work: (row: EntryRow, client: CompetitionClient, as: Asking) => Promise<void>,
  ): Promise<void> {
    return this.#turns.take(id, async () => {
      const row = await this.#row(id);
      if (!steps.includes(row.step)) return;
      try {
        const { server, wallet, hotkey_name: hotkey } = row;
        await work(row, this.#client(row), { server, signer: await this.#options.servers.signer({ wallet, hotkey }) });
      } catch (error) {
        await this.#failed(row, error);
        throw error;
      }
    });
  }

  /** @returns what the server says of it now */
  async #seen(row: EntryRow, client: CompetitionClient, as: Asking, signal: AbortSignal): Promise<SubmissionView> {
    const view = await client.submission(as, row.id, signal);
    const isEnded =
      view.state === 'missed' ||
      (WAITS_FOR_END.includes(view.state) && (await client.round(view.countsIn, signal)).state === 'ended');
    // A place may have come between the two answers.
    await this.#keep(row, isEnded ? await client.submission(as, row.id, signal) : view, isEnded);
    return view;
  }

  /** @returns what the server says of it, whether it has it since now or from before */
  async #committed(row: EntryRow, client: CompetitionClient, as: Asking, signal: AbortSignal): Promise<SubmissionView> {
    const { id, round, commitment } = row;
    try {
      return await client.commit(as, { track: trackOf(row), round, commitment }, signal);
    } catch (error) {
      if (!isFinal(error)) throw error;
      return await client.submission(as, id, signal).catch((other: unknown) => {
        throw isRefusal(other, 'NOT_FOUND') ? error : other;
      });
    }
  }

  async #reveal(row: EntryRow, client: CompetitionClient, as: Asking, signal: AbortSignal): Promise<void> {
    const { id, hotkey, sha256, tokens, round, salt } = row;
    const track = trackOf(row);
    const bytes = await this.#options.artefacts.read(sha256);
    // What does not fit the commitment would count against this address.
    const isWhole = commitmentOf({ hotkey, track, sha256, tokens, round, salt }) === row.commitment;
    if (!bytes || !isWhole) throw refused(say('competitor.fileGone'), 'id');
    const body = { track, tokens, round, salt, artefact: bytes.toString('base64') };
    const revealed = client.reveal(as, id, body, signal).catch((error: unknown) => {
      if (isRefusal(error, 'CONFLICT')) return client.submission(as, id, signal); // it was revealed, and that was not heard
      throw error;
    });
    await this.#keep(row, await revealed);
  }

  async #keep(row: EntryRow, view: SubmissionView, isOver = false): Promise<void> {
    this.#signatures ??= SignatureCheck.open();
    const receipt = believed(row, view, await this.#signatures);
    await this.#change(row, {
      step: isOver ? 'over' : 'there',
      receipt: JSON.stringify(receipt),
      seen: JSON.stringify({ at: this.#now(), view }),
      error: null,
    });
  }

  async #failed(row: EntryRow, thrown: unknown): Promise<void> {
    const error = QuarryError.from(thrown);
    if (error.code === 'CANCELLED' || (thrown as Error).name === 'AbortError') return;
    const isOver = isRefusal(thrown, 'MISMATCH') || (row.step === 'sending' && isFinal(thrown));
    await this.#change(row, { error: JSON.stringify(errorView(error)), ...(isOver && { step: 'over' as const }) });
  }

  async #change(row: EntryRow, change: Parameters<CompetitionEntryStore['change']>[2]): Promise<void> {
    await this.#options.store.change(row.id, ['sending', 'there'], change);
    this.#options.changes.tell();
  }

  #client({ url }: EntryRow): CompetitionClient {
    return this.#options.servers.client(url);
  }

  async #row(id: string): Promise<EntryRow> {
    const row = await this.#options.store.get(id);
    if (row) return row;
    throw refused(say('competitor.unknownEntry'), 'id');
  }

  #view(row: EntryRow): OwnEntry {
    return entryView(row, { now: this.#now(), reveals: this.#options.reveals() });
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

const trackOf = ({ track }: EntryRow) => track as Track;

/** Whether a server will say the same whenever it is asked: not of a ban, nor of a clock that is wrong, both of which pass. */
function isFinal(error: unknown): boolean {
  return isRefusal(error, 'BAD_REQUEST', 'FORBIDDEN', 'CONFLICT', 'NOT_FOUND', 'TOO_LARGE', 'FULL');
}

import { sentence } from '../../../../../src-preload/contract/saying.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { Turns } from '../../../../base/turns.ts';
import type { Signer } from '../../../../bittensor/signer.ts';
import type { CompetitionStore } from '../../../../store/competition/competition-store.ts';
import type { RoundRow, SubmissionRow } from '../../../../store/competition/competition-tables.ts';
import { untilBlock } from '../rules/blocks.ts';
import { commitmentOf, submissionId } from '../rules/commitment.ts';
import { receiptBytes } from '../rules/record.ts';
import { BLOCK_MS } from '../rules/terms.ts';
import { type ClosedTracks, closedWords } from '../rules/tracks.ts';
import { MOST_ARTEFACT_BYTES, type Track } from '../rules/verdict.ts';
import { MOST_IN_ROUND, type Reveal } from '../wire.ts';
import type { AddressBans } from './address-bans.ts';
import type { ArtefactFiles } from './artefact-files.ts';
import { makeRoom } from './artefact-room.ts';
import type { BlockClock } from './block-clock.ts';
import { CompetitionProblem, notFound } from './competition-problem.ts';
import type { CompetitionTerms } from './terms.ts';
import { baselinesOf } from './views.ts';

export interface EntriesOptions {
  server: Pick<Signer, 'address' | 'sign'>;
  store: CompetitionStore;
  files: ArtefactFiles;
  bans: AddressBans;
  clock: BlockClock;
  terms: CompetitionTerms;
  /** Tracks to which nothing is committed. */
  closed: ClosedTracks;
  /** Unix milliseconds. */
  now: () => number;
}

/** Takes commitments and what is revealed of them, one after the other: so their order is one that everybody can rely on. */
export class Entries {
  readonly #options: EntriesOptions;
  readonly #turns = new Turns();

  constructor(options: EntriesOptions) {
    this.#options = options;
  }

  /** @throws CompetitionProblem CONFLICT for another round than the open one, a track that is closed, or the same commitment twice; FULL, UNAVAILABLE */
  commit(hotkey: string, { track, round, commitment }: { track: Track; round: number; commitment: string }) {
    return this.#turns.take(async () => {
      const open = await this.#openRound();
      if (open.number !== round) throw conflict(`The open round is ${open.number}: a commitment is for that one.`);
      this.#refuseClosed(open, track);
      await this.#refuseMore(open.number, hotkey);
      const { server, store, clock, terms, now } = this.#options;
      const [block, number, at] = [await clock.now(), await store.submissions.nextNumber(), now()];
      const { address } = server;
      const receipt = await server.sign(
        receiptBytes({ server: address, hotkey, commitment, track, number, block, at }),
      );
      const submission = {
        ...{ number, id: submissionId({ server: address, hotkey, commitment }), hotkey, commitment, track, round },
        ...{ counts_in: round, committed_at: at, committed_block: block, clock: clock.kind },
        ...{ reveal_block: block + terms.blocksUntilReveal, receipt: Buffer.from(receipt).toString('hex') },
      };
      if (!(await store.submissions.add(submission))) throw conflict('This hotkey has made this commitment already.');
      return this.own(hotkey, submission.id);
    });
  }

  /**
   * @param ip where it comes from: what does not match counts against it
   * @throws CompetitionProblem NOT_FOUND; FORBIDDEN for another’s; CONFLICT where it is revealed already or its round is closed; TOO_EARLY, TOO_LARGE, MISMATCH, FULL
   */
  reveal(hotkey: string, ip: string, id: string, told: Reveal): Promise<SubmissionRow> {
    return this.#turns.take(async () => {
      const submission = await this.own(hotkey, id);
      await this.#refuseState(submission);
      const block = await this.#refuseEarly(submission);
      const artefact = Buffer.from(told.artefact, 'base64');
      if (artefact.length > MOST_ARTEFACT_BYTES[told.track]) {
        const message = `An artefact has at most ${MOST_ARTEFACT_BYTES[told.track]} bytes.`;
        throw new CompetitionProblem('TOO_LARGE', message);
      }
      await this.#refuseMismatch(submission, ip, told, artefact);
      const { store, files, bans, now } = this.#options;
      await this.#refuseBytes(hotkey, artefact.length);
      const hash = await files.keep(artefact);
      const { tokens, salt } = told;
      const facts = { tokens, salt, sha256: hash, bytes: artefact.length, revealed_at: now(), revealed_block: block };
      if (!(await store.submissions.reveal(id, facts))) throw conflict('Its round has closed.');
      await bans.succeeded(ip);
      return this.own(hotkey, id);
    });
  }

  /** @throws CompetitionProblem NOT_FOUND, FORBIDDEN for another’s */
  async own(hotkey: string, id: string): Promise<SubmissionRow> {
    const submission = await this.#options.store.submissions.get(id);
    if (!submission) throw notFound('submission');
    if (submission.hotkey !== hotkey) throw new CompetitionProblem('FORBIDDEN', 'It is of another hotkey.');
    return submission;
  }

  async #openRound(): Promise<RoundRow> {
    const open = await this.#options.store.rounds.oldest('open');
    if (open) return open;
    throw new CompetitionProblem('UNAVAILABLE', 'No round is open.', { retryAfterMs: BLOCK_MS });
  }

  #refuseClosed(open: RoundRow, track: Track): void {
    const closed = this.#options.closed[track];
    if (closed) throw conflict(`The track «${track}» is closed. ${sentence(closedWords(closed))}`);
    // A round that was opened before there was the track.
    const isNew = baselinesOf(open)?.every((one) => one.track !== track) ?? false;
    if (isNew) throw conflict(`The track «${track}» is held from the next round on.`);
  }

  async #refuseMore(round: number, hotkey: string): Promise<void> {
    const { store, terms } = this.#options;
    const sum = (counts: object) => Object.values(counts).reduce((all, count) => all + count, 0);
    if (sum(await store.submissions.counts(round, hotkey)) >= terms.perHotkey) {
      throw new CompetitionProblem('FULL', `A hotkey has at most ${terms.perHotkey} submissions in a round.`);
    }
    const most = Math.min(terms.perRound, MOST_IN_ROUND);
    if (sum(await store.submissions.counts(round)) < most) return;
    throw new CompetitionProblem('FULL', `A round has at most ${most} submissions.`);
  }

  async #refuseState({ state, counts_in: countsIn }: SubmissionRow): Promise<void> {
    if (state === 'missed') throw conflict('Its round has closed.');
    if (state !== 'committed') throw conflict('It is revealed already.');
    const round = await this.#options.store.rounds.get(countsIn);
    if (round?.state === 'open' && round.ends_at > this.#options.now()) return;
    throw conflict('The round is closing: what could not be revealed in it counts in the next one.');
  }

  /** @returns the block now */
  async #refuseEarly({ reveal_block: from, clock: kind, committed_at: at }: SubmissionRow): Promise<number> {
    const { clock, terms, now } = this.#options;
    const block = await clock.now();
    // Blocks of two clocks cannot be compared; the time that they take can.
    const left =
      kind === clock.kind
        ? untilBlock(from, block)
        : untilBlock(terms.blocksUntilReveal, Math.floor((now() - at) / BLOCK_MS));
    if (left.blocks === 0) return block;
    const message = `It can be revealed in ${left.blocks} blocks, about ${Math.ceil(left.ms / 60_000)} minutes from now.`;
    throw new CompetitionProblem('TOO_EARLY', message, { retryAfterMs: left.ms });
  }

  async #refuseMismatch(submission: SubmissionRow, ip: string, told: Reveal, artefact: Buffer): Promise<void> {
    const { hotkey, commitment, track } = submission;
    const { tokens, round, salt } = told;
    const hash = sha256(artefact).toString('hex');
    const found = commitmentOf({ hotkey, track: told.track, sha256: hash, tokens, round, salt });
    if (found === commitment && told.track === track) return;
    await this.#options.bans.failed(ip);
    throw new CompetitionProblem('MISMATCH', 'What is revealed is not what was committed.');
  }

  async #refuseBytes(hotkey: string, bytes: number): Promise<void> {
    const { store, files, terms } = this.#options;
    if ((await store.submissions.bytesOf(hotkey)) + bytes > terms.bytesPerHotkey) {
      throw new CompetitionProblem(
        'FULL',
        `Artefacts of a hotkey have at most ${terms.bytesPerHotkey} bytes together until their rounds have ended.`,
      );
    }
    if (await makeRoom(bytes, { files, store, most: terms.bytes })) return;
    throw new CompetitionProblem('UNAVAILABLE', 'There is no room for more artefacts.');
  }
}

function conflict(message: string): CompetitionProblem {
  return new CompetitionProblem('CONFLICT', message);
}

import type { Logger } from 'pino';
import { backOffMs } from '../../../../base/back-off.ts';
import type { CompetitionStore } from '../../../../store/competition/competition-store.ts';
import type { RoundRow, SubmissionRow } from '../../../../store/competition/competition-tables.ts';
import { artefactKey, copiesIn } from '../rules/copies.ts';
import { leagueOf } from '../rules/leagues.ts';
import { judgingSeed } from '../rules/seeds.ts';
import { type Judge, type Track, verdictSchema } from '../rules/verdict.ts';
import type { ArtefactFiles } from './artefact-files.ts';
import { knownIn } from './rounds.ts';
import { baselinesOf } from './views.ts';

/** After failures of ours. */
const AGAIN = { firstMs: 10_000, longestMs: 30 * 60_000 };
const MOST_TROUBLE_CHARS = 500;

/** What is being judged. */
export interface Judging {
  round: number;
  submission: string;
  /** From 0 to 1. */
  done: number;
}

export interface JudgeRoundOptions {
  store: CompetitionStore;
  files: Pick<ArtefactFiles, 'read'>;
  judge: Judge;
  signal: AbortSignal;
  /** Told of each step; undefined when nothing is judged. */
  onProgress?: (judging: Judging | undefined) => void;
  /** Unix milliseconds. */
  now: () => number;
  log: Logger;
}

/**
 * Judges what was revealed in a round, one after the other in the order of commitment, and each once: its verdict is on the disk before the next is begun, so a process
 * that is killed goes on with the one that it was at. What fails for reasons of ours is no verdict: it is tried again later.
 * @returns whether all is judged
 */
export async function judgeRound(round: RoundRow, options: JudgeRoundOptions): Promise<boolean> {
  const { store, signal, now } = options;
  await nameCopies(round, store);
  for (;;) {
    const next = await store.submissions.nextToJudge(round.number, now());
    if (!next) return (await store.submissions.nextTry(round.number)) === undefined;
    if (signal.aborted) return false;
    await judgeOne(round, next, options);
  }
}

/** All of a round are looked at, judged or not: so it comes to the same however often it is done. */
async function nameCopies({ number }: RoundRow, store: CompetitionStore): Promise<void> {
  const rows = await store.submissions.inRound(number, ['revealed', 'copied', 'repeated', 'wrong', 'right']);
  const known = await knownIn(store, rows, number);
  const firsts = new Map(known.map((one) => [artefactKey(one), one.hotkey]));
  const revealed = rows.map((row) => ({
    ...{ id: row.id, number: row.number, hotkey: row.hotkey, track: row.track as Track },
    ...{ sha256: row.sha256 ?? '', tokens: row.tokens ?? 0 },
  }));
  for (const [id, state] of copiesIn(revealed, firsts)) await store.submissions.copy(id, state);
}

async function judgeOne(round: RoundRow, submission: SubmissionRow, options: JudgeRoundOptions): Promise<void> {
  const { store, judge, signal, onProgress, now, log } = options;
  const { id, tokens, tries } = submission;
  const track = submission.track as Track;
  const told = (done: number) => onProgress?.({ round: round.number, submission: id, done });
  told(0);
  try {
    const { artefact, baseline } = await bytesOf(round, submission, options);
    const seed = judgingSeed(round.seed, id);
    const found = await judge(artefact, { track, baseline, seed, tokens: tokens ?? 0, signal, onProgress: told });
    const verdict = verdictSchema.parse(found);
    await store.submissions.judge(id, verdict.right ? 'right' : 'wrong', JSON.stringify(verdict), now());
  } catch (error) {
    if (signal.aborted) return;
    log.warn({ err: error, submission: id }, 'a submission could not be judged');
    const why = (error instanceof Error ? error.message : String(error)).slice(0, MOST_TROUBLE_CHARS);
    await store.submissions.trouble(id, { tries: tries + 1, nextTryAt: now() + backOffMs(tries + 1, AGAIN), why });
  } finally {
    onProgress?.(undefined);
  }
}

/** @throws Error where they are not there, or not known yet */
async function bytesOf(round: RoundRow, { tokens, track, sha256 }: SubmissionRow, { files }: JudgeRoundOptions) {
  const league = leagueOf(tokens ?? 0);
  const of = baselinesOf(round)?.find((one) => one.track === track && one.league === league);
  const [artefact, baseline] = [await files.read(sha256 ?? ''), of && (await files.read(of.sha256))];
  if (!artefact || !baseline) throw new Error(`There is no ${artefact ? 'baseline' : 'artefact'} on the disk.`);
  return { artefact, baseline };
}

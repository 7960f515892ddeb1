import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { leagueOf } from '../rules/leagues.ts';
import { beatsBaseline } from '../rules/ranking.ts';
import { judgingSeed } from '../rules/seeds.ts';
import { type Judge, type Verdict, verdictSchema } from '../rules/verdict.ts';
import type { Recorded, RoundRecord } from '../wire.ts';

/** By how much both intervals are widened before they are compared: two machines measure the same kernel otherwise. */
export const NOISE = 0.05;

/**
 * What judging again came to. `same`: as right or wrong as the record says, and as fast, within both intervals and {@link NOISE}. `differs`: as right, and of another
 * speed, which another machine may be the reason of. `contradicts`: right where the record says wrong, or of another speed and no more faster than the baseline, or the
 * other way round. `notJudged`: its bytes are not there, or this machine could not. `notHere`: this machine is none for its track.
 */
export type Again =
  | { submission: string; outcome: 'same' | 'differs' | 'contradicts'; own: Verdict }
  | { submission: string; outcome: 'notJudged' | 'notHere'; why: string };

export interface JudgeAgainOptions {
  judge: Judge;
  /** The bytes of a hash, from the server or elsewhere; what is of another hash counts as not there. */
  artefact: (sha256: string) => Promise<Uint8Array | undefined>;
  signal?: AbortSignal;
  /** Told of each submission that is done: how many of how many. */
  onProgress?: (done: number, all: number) => void;
}

/** Judges everything of a round again that has a verdict, with the seeds and baselines of its record. @throws the signal’s reason */
export async function judgeAgain(record: RoundRecord, options: JudgeAgainOptions): Promise<Again[]> {
  const judged = record.submissions.filter(({ verdict }) => verdict !== null);
  const again: Again[] = [];
  for (const submission of judged) {
    options.signal?.throwIfAborted();
    again.push(await judgeOne(submission, record, options));
    options.onProgress?.(again.length, judged.length);
  }
  return again;
}

async function judgeOne(one: Recorded, record: RoundRecord, options: JudgeAgainOptions): Promise<Again> {
  const { id, tokens, track } = one;
  const league = leagueOf(tokens);
  const of = record.baselines.find((baseline) => baseline.track === track && baseline.league === league);
  const [artefact, baseline] = [await bytesOf(one.sha256, options), of && (await bytesOf(of.sha256, options))];
  if (!artefact || !baseline)
    return { submission: id, outcome: 'notJudged', why: 'Its bytes, or those of its baseline, are not to be had.' };
  try {
    const { judge, signal } = options;
    const seed = judgingSeed(record.seed, id);
    const own = verdictSchema.parse(
      await judge(artefact, { track, baseline, seed, tokens, ...(signal && { signal }) }),
    );
    return { submission: id, outcome: outcomeOf(one.verdict as Verdict, own), own };
  } catch (error) {
    options.signal?.throwIfAborted();
    const isNone = error instanceof QuarryError && error.code === 'ENGINE_UNAVAILABLE';
    const why = error instanceof Error ? error.message : String(error);
    return { submission: id, outcome: isNone ? 'notHere' : 'notJudged', why };
  }
}

function outcomeOf(theirs: Verdict, own: Verdict): 'same' | 'differs' | 'contradicts' {
  if (theirs.right !== own.right) return 'contradicts';
  if (!theirs.right || !own.right) return 'same';
  const [a, b] = [theirs.ratio, own.ratio];
  const overlap = a.low * (1 - NOISE) <= b.high * (1 + NOISE) && b.low * (1 - NOISE) <= a.high * (1 + NOISE);
  if (overlap) return 'same';
  return beatsBaseline(theirs) === beatsBaseline(own) ? 'differs' : 'contradicts';
}

async function bytesOf(hash: string, { artefact }: JudgeAgainOptions): Promise<Uint8Array | undefined> {
  const bytes = await artefact(hash);
  return bytes && sha256(bytes).toString('hex') === hash ? bytes : undefined;
}

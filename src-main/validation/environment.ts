import type { Saying } from '../../src-preload/contract/saying.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What an answer is worth. */
export interface Judgement {
  /** 0 to 1. */
  score: number;
  /** How right it is, 0 to 1, where the score is not just that: a right answer to something harder may be worth more. */
  accuracy?: number;
  /** Why, for whoever asks. */
  reason: Saying;
  /** Of the answer so much is kept at the most, UTF-16 units, whatever it is worth. Default: all that is worth something. */
  keeps?: number;
}

/** What an answer is worth that is not right. */
export const wrong = (reason: Saying): Judgement => ({ score: 0, reason });

/** A prompt in its parts, for subnets that have a protocol of their own for questions about long texts. */
export interface LongText {
  /** What it is one of: `needle`. */
  dataset: string;
  context: string;
  /** What is asked about it, and how the answer is wanted. */
  question: string;
}

/** What is asked of a model's bare tokens, for subnets that have a protocol of their own for that. */
export interface TokenProbe {
  prompt: readonly number[];
  /** So many tokens are to be chosen, each the likeliest. */
  length: number;
  /** Of one of them, 1 for the first, it is to be told what it was chosen by. */
  captureAt: number;
}

/** For whom an answer is judged. */
export interface Judging {
  /** Whose answer it is: where judging takes its time, that is shared out by these. Default: nobody’s. */
  party?: string | undefined;
  /** How long it took by the validator's own clock, milliseconds: see `ResultPayload`. */
  latencyMs?: number | undefined;
  /** Ends it. */
  signal?: AbortSignal | undefined;
}

/**
 * One sort of challenge. The same draws pose the same task for ever, so that a result can be looked at again years later: whatever changes what
 * is posed, or what an answer to it is worth, changes the version.
 */
export interface Environment<
  Task = unknown,
  Verdict extends Judgement | Promise<Judgement> = Judgement | Promise<Judgement>,
> {
  /** As results have it: `sat`. */
  readonly name: string;
  readonly version: string;
  /** How hard it may be, the usual one first. */
  readonly levels: readonly [string, ...string[]];
  /** Sees to it that something can be asked. Default: it can. @throws what keeps it from being asked */
  prepare?(signal?: AbortSignal): Promise<void>;
  /** Makes a task, with what only the validator may know of it. It may have to be read: from a data set. */
  pose(random: SeededRandom, level: string): Task | Promise<Task>;
  /** All that a miner is told. */
  prompt(task: Task): string;
  /** The same in its parts, where it is about a long text. */
  longText?(task: Task): LongText;
  /** The same as bare tokens: then the answer is JSON, and all of it is judged. */
  probe?(task: Task): TokenProbe;
  /** Never throws because of what the answer says. @throws what keeps it from being judged; the signal's reason */
  judge(task: Task, answer: string, judging?: Judging): Verdict;
}

/** What is asked of an environment at a level, as results name it. */
export const askedIn = ({ environment: { name, version }, level }: { environment: Environment; level: string }) => ({
  ...{ environment: name, version, level },
});

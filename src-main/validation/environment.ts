import type { Saying } from '../../src-preload/contract/saying.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What an answer is worth. */
export interface Judgement {
  /** 0 to 1, or below 0 for what is proven to deceive: that costs more than it would have earned. */
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

/** Clips of a topic, for subnets that have a protocol of their own for them. */
export interface WantedClips {
  of: 'videos' | 'sounds';
  topic: string;
  /** So many at the most. */
  count: number;
}

/** How something is asked. Whoever has no way for it asks nothing. */
export type Ask =
  /** The prompt says all. */
  | { kind: 'text' }
  /** It can be asked as a prompt as well. */
  | { kind: 'longText'; text: LongText }
  /** The answer is JSON: what was said to bare tokens. */
  | { kind: 'tokens'; probe: TokenProbe }
  /** The answer is JSON: what was handed in. */
  | { kind: 'clips'; wanted: WantedClips };

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
  /** How it is asked, for whoever has a protocol for it. Of an answer that is JSON all is judged. Default: as a text. */
  ask?(task: Task): Ask;
  /** Never throws because of what the answer says. @throws what keeps it from being judged; the signal's reason */
  judge(task: Task, answer: string, judging?: Judging): Verdict;
}

/** What is asked of an environment at a level, as results name it. */
export const askedIn = ({ environment: { name, version }, level }: { environment: Environment; level: string }) => ({
  ...{ environment: name, version, level },
});

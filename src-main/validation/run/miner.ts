import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { MINER_KINDS } from '../../../src-preload/contract/validator-names.ts';
import type { Ask } from '../environment.ts';

/** What is asked of a miner, and for how long one waits. */
export interface Question {
  /** Of its challenge: it tells nothing of seed and solution. */
  id: string;
  prompt: string;
  /** How it is asked. Each way to a miner has its own protocol for it, or throws {@link NotReached}. */
  ask: Ask;
  /** Tokens of the answer, at most. */
  maxTokens: number;
  /** Milliseconds for all of it. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Told when the first byte of an answer is there, and again where the answer begins anew. */
  onFirstByte?: () => void;
}

/**
 * Why a question never reached its miner, or was given up by this node: that tells nothing of the miner. A class and no code, since codes are what
 * strangers say.
 */
export class NotReached extends QuarryError {}

/**
 * Asks by a way that tells when a question is on it.
 * @throws NotReached where it never was, or this node gave it up; else what the way throws, as a QuarryError
 */
export async function askBy<Answer>(way: (onSent: () => void) => Promise<Answer>): Promise<Answer> {
  let isSent = false;
  try {
    return await way(() => {
      isSent = true;
    });
  } catch (error) {
    const failure = QuarryError.from(error);
    // What a peer or a server calls cancelled has another code here: this is this node’s own.
    if (isSent && failure.code !== 'CANCELLED') throw failure;
    throw new NotReached(failure, { cause: error });
  }
}

/** Somebody that can be asked, by whatever way. */
export interface Miner {
  /** As results name it: the key that it is known by, or what stands for one. */
  readonly id: string;
  readonly kind: (typeof MINER_KINDS)[number];
  /** What it says that it runs. */
  readonly model: string;
  readonly revision: string;
  /** Its number on its subnet, and the block of what it committed to, or else of its registration; null for those that are on none. */
  readonly uid: number | null;
  readonly block: number | null;
  /**
   * @returns the answer; what is too long to be judged may be cut off
   * @throws NotReached where the question never reached it; any other QuarryError where it did, and no answer came
   */
  ask(question: Question): Promise<string>;
}

/** Those who can be asked now. @throws where that cannot be told */
export type ListMiners = (signal: AbortSignal) => Promise<readonly Miner[]>;

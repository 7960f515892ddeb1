import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Words } from '../../src-preload/contract/saying.ts';
import { sha256 } from '../base/sha256.ts';
import { taggedBytes } from '../base/signing.ts';
import { type Challenge, pose } from './challenge.ts';
import type { Environment, Judgement } from './environment.ts';

/** What a model said, and how long that took it. */
export interface Said {
  text: string;
  /** Milliseconds from being asked to the end. */
  ms: number;
  /** Milliseconds to its first piece, where that is known. */
  firstMs?: number;
}

export interface PracticeOptions {
  /** Each with the level that is wanted. */
  environments: readonly { environment: Environment; level: string }[];
  /** Challenges of each environment. */
  samples: number;
  /** The same seed asks the same again. */
  seed: string;
  signal?: AbortSignal | undefined;
  /** @throws QuarryError where there is no answer */
  ask(challenge: Pick<Challenge, 'prompt' | 'ask'>): Promise<Said>;
}

/** One challenge that was asked. */
export interface Practised {
  challenge: Challenge;
  /** Undefined where there was no answer. */
  said: Said | undefined;
  score: number;
  /** As {@link Judgement.accuracy}. */
  accuracy?: number;
  /** As {@link Judgement.keeps}. */
  keeps?: number;
  /** Why it scores so, or why there was no answer. */
  reason: Words;
}

/** So many challenges without an answer, one after the other, and no more are asked. */
const MOST_UNANSWERED = 3;

/**
 * Asks one model challenges, of each environment in turn, so that whoever stops early has as much of each.
 * @throws what `ask` threw, where it goes on doing so; CANCELLED
 */
export async function* practise({
  environments,
  samples,
  seed,
  ask,
  signal,
}: PracticeOptions): AsyncGenerator<Practised, void> {
  let unanswered = 0;
  for (const { environment } of environments) await environment.prepare?.(signal);
  for (let sample = 0; sample < samples; sample++) {
    for (const { environment, level } of environments) {
      const challenge = await pose(environment, level, seedOf(seed, sample));
      try {
        const said = await ask(challenge);
        unanswered = 0;
        yield { challenge, said, ...(await challenge.judge(said.text, { signal, latencyMs: Math.round(said.ms) })) };
      } catch (error) {
        const { code, said, message } = QuarryError.from(error);
        if (code === 'CANCELLED' || ++unanswered === MOST_UNANSWERED) throw error;
        yield { challenge, said: undefined, score: 0, reason: said?.message ?? message };
      }
    }
  }
}

const seedOf = (seed: string, sample: number): string =>
  sha256(taggedBytes('quarry-practice-1', { seed, sample }).toString()).toString('hex');

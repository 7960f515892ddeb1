import type { EvaluationAnswerRow } from '../../../store/evaluations.ts';
import { scalingOf, type Timing } from '../reward/measured.ts';
import { Mean } from './mean.ts';
import { MADE } from './what-suites-show.ts';

export interface Scaling {
  /** 0 to 1. */
  value: number;
  /** Tokens. */
  shortest: number;
  longest: number;
}

/** Of a kind of question at one length. */
class Times {
  readonly read = new Mean();
  readonly first = new Mean();
  readonly total = new Mean();
}

/**
 * How long answers took at the shortest and at the longest length that was answered, in the mean over kinds of questions that were answered at both. Only the first question
 * about a text counts, as the text was read for it; and of that only what was not read before: an engine may still have the beginning, out of a shorter text.
 */
export class ScalingTimes {
  /** By length and kind. */
  readonly #lengths = new Map<number, Map<string, Times>>();

  add({ question, suite, variant, length, ...row }: EvaluationAnswerRow): void {
    const { first_ms: first, total_ms: total, cached_tokens: cached } = row;
    const read = length - (cached ?? 0);
    if (question !== 0 || !MADE.has(suite) || first === null || total === null || read < length / 2) return;
    const kinds = this.#lengths.get(length) ?? new Map<string, Times>();
    const times = kinds.get(`${suite}: ${variant}`) ?? new Times();
    times.read.add(read);
    times.first.add(first);
    times.total.add(total);
    this.#lengths.set(length, kinds.set(`${suite}: ${variant}`, times));
  }

  /** Undefined where there are no two lengths with a kind in common. */
  get scaling(): Scaling | undefined {
    const [shortest, longest] = [Math.min(...this.#lengths.keys()), Math.max(...this.#lengths.keys())];
    const [short, long] = [this.#lengths.get(shortest), this.#lengths.get(longest)];
    if (!short || !long || shortest === longest) return undefined;
    const common = [...short.keys()].filter((kind) => long.has(kind));
    if (common.length === 0) return undefined;
    return { value: scalingOf(timingOf(short, common), timingOf(long, common)), shortest, longest };
  }
}

function timingOf(kinds: ReadonlyMap<string, Times>, common: readonly string[]): Timing {
  const mean = (of: (times: Times) => Mean) =>
    common.reduce((sum, kind) => sum + (of(kinds.get(kind) ?? new Times()).value ?? 0), 0) / common.length;
  return {
    contextTokens: mean(({ read }) => read),
    firstByteMs: mean(({ first }) => first),
    lastByteMs: mean(({ total }) => total),
  };
}

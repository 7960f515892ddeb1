import { z } from 'zod';
import { MAX_CHOICES, MAX_SEED } from '../../../src-preload/contract/limits.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { merged } from '../../base/merged.ts';
import type { AnswerEvent } from '../../inference/backend.ts';
import type { Answer } from './answer.ts';
import { optional } from './fields.ts';

/** Several answers to one request: what OpenAI calls `n`. */

export const choiceFields = {
  n: optional(z.int().min(1).max(MAX_CHOICES)),
  best_of: optional(z.int()),
};

/** For `refine`: OpenAI would choose the best of more than are wanted, by what it does not say. */
export const BEST_OF_ALL: [(body: Chosen) => boolean, { path: string[]; message: string }] = [
  ({ n = 1, best_of = n }) => best_of === n,
  { path: ['best_of'], message: 'must be what n is: Quarry chooses no best of several answers' },
];

interface Chosen {
  n?: number | undefined;
  best_of?: number | undefined;
}

/** A request for each of the answers. Where there is a seed, each has its own, so that they differ and can all be had again. */
export function requestsFor(request: GenerateRequest, { n = 1 }: Chosen): GenerateRequest[] {
  const { seed } = request;
  return Array.from({ length: n }, (_, place) =>
    seed === undefined || place === 0 ? request : { ...request, seed: (seed + place) % (MAX_SEED + 1) },
  );
}

/**
 * What happens to each of the answers, as it happens, with its place. They are asked for together; of a generator that reads a prompt once
 * for all, the others when the first has begun. All end with the first that fails.
 */
export async function* askedTogether({
  generator,
  requests,
  signal,
  keepAs,
}: Pick<Answer, 'generator' | 'requests' | 'signal' | 'keepAs'>): AsyncGenerator<
  [place: number, event: AnswerEvent],
  void,
  undefined
> {
  const others = new AbortController();
  const options = {
    signal: AbortSignal.any([signal, others.signal]),
    ...(keepAs !== undefined && { keepAs }),
  };
  const begun = Promise.withResolvers<void>();
  const answers = requests.map((request, place) => {
    const ask = () => generator.generate(request, options);
    if (!generator.sharesPrompts || requests.length === 1) return ask();
    return place === 0 ? telling(ask(), begun.resolve) : after(begun.promise, ask);
  });
  yield* merged(answers, () => others.abort());
}

async function* telling(events: AsyncIterable<AnswerEvent>, onBegun: () => void): AsyncGenerator<AnswerEvent> {
  try {
    for await (const event of events) {
      if (event.type === 'chunk') onBegun();
      yield event;
    }
  } finally {
    onBegun();
  }
}

async function* after(begun: Promise<void>, ask: () => AsyncIterable<AnswerEvent>): AsyncGenerator<AnswerEvent> {
  await begun;
  yield* ask();
}

import { EventQueue } from './event-queue.ts';

/**
 * What several say, as it comes, each with its place in the list. Of each the next is asked for only when what it said last was taken: who
 * reads slowly slows all of them. The first that fails ends all.
 *
 * @param stop ends those that are still at it: they are waited for. Not called where all have come to their end
 * @throws what the first that fails throws
 */
export async function* merged<T>(
  sources: readonly AsyncIterable<T>[],
  stop: () => void,
): AsyncGenerator<[place: number, said: T], void, undefined> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const steps = new EventQueue<{ place: number; step: IteratorResult<T> }>();
  const next = (place: number) => {
    const asked = iterators[place]?.next();
    void asked?.then(
      (step) => steps.push({ place, step }),
      (error: unknown) => steps.fail(error),
    );
  };
  let open = iterators.length;
  try {
    for (const place of iterators.keys()) next(place);
    for await (const { place, step } of steps) {
      if (step.done) {
        open--;
        if (open === 0) return;
      } else {
        yield [place, step.value];
        next(place);
      }
    }
  } finally {
    if (open > 0) stop();
    // What they throw when they are ended says nothing new.
    await Promise.allSettled(iterators.map((each) => each.return?.()));
  }
}

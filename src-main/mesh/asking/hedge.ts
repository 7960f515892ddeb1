/** A stream of events that can be ended from outside. */
export interface Lane<T> {
  events: AsyncGenerator<T, void, undefined>;
  /** Makes `events` end or throw soon. */
  cancel: () => void;
}

interface Runner<T> {
  lane: Lane<T>;
  /** Held back until the lane has won. */
  held: T[];
  next: Promise<Step<T>>;
}

type Step<T> = { runner: Runner<T>; result: IteratorResult<T, void> } | { runner: Runner<T>; error: unknown };

/**
 * Yields `first`'s events; if it has not begun to answer after `afterMs`, starts another lane and goes on with whichever
 * answers first. The others are cancelled. A lane that fails leaves the race to the others.
 *
 * @param isAnswer whether an event belongs to the answer, as against news on the way to it
 * @param most lanes to start besides the first, one every `afterMs`. Default 1
 */
export async function* hedged<T>(
  first: Lane<T>,
  another: () => Lane<T> | undefined,
  afterMs: number,
  isAnswer: (event: T) => boolean,
  most = 1,
): AsyncGenerator<T, void, undefined> {
  const running = new Set<Runner<T>>([run(first)]);
  let timer = startTimer(afterMs);
  let started = 0;
  let winner: Runner<T> | undefined;
  try {
    while (!winner) {
      const step = await Promise.race([...[...running].map(({ next }) => next), timer.fired]);
      if (step === undefined) {
        const lane = another();
        if (lane) running.add(run(lane));
        timer = ++started < most ? startTimer(afterMs) : NO_TIMER;
      } else if ('error' in step) {
        running.delete(step.runner);
        if (running.size === 0) throw step.error;
      } else if (step.result.done || isAnswer(step.result.value)) winner = step.runner;
      else {
        if (step.runner.lane === first) yield step.result.value;
        else step.runner.held.push(step.result.value);
        advance(step.runner);
      }
    }
    for (const loser of running) if (loser !== winner) loser.lane.cancel();
    yield* finish(winner);
  } finally {
    timer.stop();
    for (const { lane } of running) lane.cancel();
    await Promise.all([...running].map(drain));
  }
}

const NO_TIMER = { fired: new Promise<undefined>(() => {}), stop: () => {} };

function startTimer(ms: number): { fired: Promise<undefined>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  return { fired: promise, stop: () => clearTimeout(timer) };
}

function run<T>(lane: Lane<T>): Runner<T> {
  const runner: Runner<T> = { lane, held: [], next: new Promise(() => {}) };
  advance(runner);
  return runner;
}

function advance<T>(runner: Runner<T>): void {
  runner.next = runner.lane.events.next().then(
    (result) => ({ runner, result }),
    (error: unknown) => ({ runner, error }),
  );
}

async function* finish<T>({ lane, held, next }: Runner<T>): AsyncGenerator<T, void, undefined> {
  yield* held;
  const step = await next;
  if ('error' in step) throw step.error;
  if (step.result.done) return;
  yield step.result.value;
  yield* lane.events;
}

/** Lets a cancelled lane run to its end, so that what it holds is given back. */
async function drain<T>({ lane }: Runner<T>): Promise<void> {
  try {
    await lane.events.return();
  } catch {
    // Its failure no longer matters: the race is decided.
  }
}

import { ignoring } from '../../base/swallowed.ts';
import { crowd, slowly } from './crowd.ts';
import { lookFor } from './pace.ts';
import type { DemoScene, QueueScene } from './scenes.ts';
import type { Stage } from './stage.ts';

/** All ask at once, more than the workers can answer together: the queue at the main worker grows, and shrinks again. */
export async function* rush(stage: Stage, signal: AbortSignal): AsyncGenerator<DemoScene> {
  const questions = await crowd(stage, signal);
  const outcome = { answered: 0, refused: 0, open: questions.length };
  using _ = slowly(stage);
  for (const { events } of questions) {
    void answered(events).then((ok) => {
      outcome.open--;
      outcome[ok ? 'answered' : 'refused']++;
    });
  }
  yield* watchQueue(stage, () => outcome.open > 0, signal);
  const { answered: done, refused } = outcome;
  yield { type: 'queue', state: 'over', ...queueOf(stage), answered: done, refused };
}

/** Tells what waits whenever that has changed, but not more often than people can read. */
async function* watchQueue(stage: Stage, goesOn: () => boolean, signal: AbortSignal): AsyncGenerator<QueueScene> {
  let last = 0;
  while (goesOn() && !signal.aborted) {
    const changed = await lookFor(() => (goesOn() ? changedFrom(last, stage) : queueOf(stage)), {
      ms: Number.POSITIVE_INFINITY,
      signal,
    });
    if (!changed || !goesOn()) return;
    yield { type: 'queue', state: changed.waiting > last ? 'growing' : 'shrinking', ...changed };
    last = changed.waiting;
    await lookFor(() => (goesOn() ? undefined : true), { ms: stage.pace.queueMs, signal });
  }
}

function changedFrom(last: number, stage: Stage): { waiting: number; running: number } | undefined {
  const now = queueOf(stage);
  return now.waiting === last ? undefined : now;
}

function queueOf({ main }: Stage): { waiting: number; running: number } {
  const { waiting = 0, active: running = 0 } = main.app.mining?.queue() ?? {};
  return { waiting, running };
}

/** @returns whether it came to its end */
async function answered(events: AsyncIterable<unknown>): Promise<boolean> {
  const read = async () => {
    for await (const _ of events);
    return true;
  };
  return (await read().catch(ignoring('whoever found no room is counted'))) ?? false;
}

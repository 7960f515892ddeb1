import { ignoring } from '../../base/swallowed.ts';
import { longQuestion } from './asking.ts';
import { lookFor } from './pace.ts';
import type { DemoScene, QueueScene } from './scenes.ts';
import type { Stage } from './stage.ts';

/** Requests that each of them makes at once; a worker lets so many of one client wait. */
const EACH = 3;
/** About how long one answer should take by itself, in seconds, and its limits in tokens. */
const ANSWER_SECONDS = 0.7;
const TOKENS = { least: 48, most: 768 };

/** Share of its speed at which the built-in model works meanwhile: it is so quick that nobody would have to wait. */
const BUILT_IN_SPEED = 0.05;

/** All ask at once, more than the workers can answer together: the queue at the main worker grows, and shrinks again. */
export async function* rush(stage: Stage, signal: AbortSignal): AsyncGenerator<DemoScene> {
  const { tokensPerSecond = 0 } = (await stage.main.app.node.status()).speed ?? {};
  const tokens = Math.round(Math.min(TOKENS.most, Math.max(TOKENS.least, tokensPerSecond * ANSWER_SECONDS)));
  const outcome = { answered: 0, refused: 0, open: 0 };
  for (const client of stage.askers) {
    for (let asked = 0; asked < EACH; asked++) {
      outcome.open++;
      void answered(longQuestion(stage, client, tokens, signal)).then((ok) => {
        outcome.open--;
        outcome[ok ? 'answered' : 'refused']++;
      });
    }
  }
  setSpeed(stage, BUILT_IN_SPEED);
  try {
    yield* watchQueue(stage, () => outcome.open > 0, signal);
  } finally {
    setSpeed(stage, 1);
  }
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

/** As the load policy does it. Real weights are slow enough. */
function setSpeed({ model, workers }: Stage, share: number): void {
  if (model.real) return;
  for (const { app } of workers) app.engine?.slot.current?.engine?.setSpeed(share);
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

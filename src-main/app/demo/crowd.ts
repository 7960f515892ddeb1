import type { AskEvent } from '../../../src-preload/contract/inference.ts';
import { longQuestion } from './asking.ts';
import type { DemoNode } from './demo-node.ts';
import type { Stage } from './stage.ts';

/** Requests that each of them makes at once; a worker lets so many of one client wait. */
const EACH = 3;
/** About how long one answer should take by itself, in seconds, and its limits in tokens. */
const ANSWER_SECONDS = 0.7;
const TOKENS = { least: 48, most: 768 };

/** A question that somebody in a crowd asks, once its events are read. */
export interface CrowdQuestion {
  client: DemoNode;
  events: AsyncGenerator<AskEvent>;
}

/** All who only ask, with more questions than the workers can answer together. */
export async function crowd(stage: Stage, signal: AbortSignal): Promise<CrowdQuestion[]> {
  const { tokensPerSecond = 0 } = (await stage.main.app.node.status()).speed ?? {};
  const tokens = Math.round(Math.min(TOKENS.most, Math.max(TOKENS.least, tokensPerSecond * ANSWER_SECONDS)));
  return stage.askers.flatMap((client) =>
    Array.from({ length: EACH }, () => ({ client, events: longQuestion(stage, client, tokens, signal) })),
  );
}

/** Until it is disposed of, the built-in model works slowly, in the way in which the load policy has it. Real weights are slow enough. */
export function slowly(stage: Stage): Disposable {
  setSpeed(stage, stage.pace.rushSpeed);
  return { [Symbol.dispose]: () => setSpeed(stage, 1) };
}

function setSpeed({ model, workers }: Stage, share: number): void {
  if (model.real) return;
  for (const { app } of workers) app.engine?.slot.current?.engine?.setSpeed(share);
}

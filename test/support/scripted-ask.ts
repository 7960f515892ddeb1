import type { Ask } from '../../src-main/conversations/tools/rounds.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest } from '../../src-preload/contract/inference.ts';

/** A step of a script: an event, an error to throw, or something to wait for. */
export type Step = AskEvent | Error | Promise<unknown>;

export const chunk = (text: string): AskEvent => ({ type: 'chunk', text, tokens: 1 });

export function done(text: string): AskEvent {
  const figures = { promptTokens: 7, cachedTokens: 0, queuedMs: 0, firstTokenMs: 20, totalMs: 90, tokensPerSecond: 33 };
  return { type: 'done', result: { text, finish: 'stop', completionTokens: 3, ...figures } };
}

/** Waits until the request is cancelled. */
export const FOREVER: Promise<unknown> = new Promise(() => {});

/** Something to ask that says what the test tells it to. */
export class ScriptedAsk {
  /** What was asked, in order. */
  readonly requests: AskRequest[] = [];
  /** Requests that were cancelled before their end, and those that run. */
  cancelled = 0;
  running = 0;
  /** What the next answers do. Default: two chunks, and the end. */
  readonly scripts: Step[][] = [];

  readonly ask: Ask = async function* (this: ScriptedAsk, request: AskRequest, signal: AbortSignal) {
    this.requests.push(request);
    this.running++;
    let ended = false;
    try {
      for (const step of this.scripts.shift() ?? [chunk('Yes, '), chunk('sir.'), done('Yes, sir.')]) {
        if (step instanceof Promise) await Promise.race([step, aborted(signal)]);
        else if (step instanceof Error) throw step;
        else yield step;
      }
      ended = true;
    } finally {
      this.running--;
      if (!ended) this.cancelled++;
    }
  }.bind(this);
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  throw new QuarryError({ code: 'CANCELLED', message: 'cancelled' });
}

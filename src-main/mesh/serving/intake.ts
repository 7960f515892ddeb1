import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Offence } from '../transport/ban-list.ts';
import { isAuthentic } from '../transport/envelope.ts';
import type { Prompt } from '../transport/messages.ts';
import { FRESHNESS_MS, ReplayGuard } from './replay.ts';

/** A verdict on a signed prompt: take it, refuse it with an error, or treat it as an offence. */
export type IntakeVerdict = { refusal: QuarryError } | { offence: Offence; detail: string } | undefined;

/** Checks that a prompt comes from the peer that sent it, is meant for this worker, is fresh, and was not seen before. */
export class PromptIntake {
  readonly #worker: string;
  readonly #replays = new ReplayGuard();

  /** @param worker this node's id */
  constructor(worker: string) {
    this.#worker = worker;
  }

  check(prompt: Prompt, sender: string, now: number): IntakeVerdict {
    if (prompt.from !== sender) return { offence: 'wrong signature', detail: 'prompt of another client' };
    if (prompt.worker !== this.#worker) return { offence: 'wrong signature', detail: 'prompt for another worker' };
    if (!isAuthentic(prompt)) return { offence: 'wrong signature', detail: 'prompt' };
    const fault = this.#replays.check(prompt, now);
    if (fault === 'replayed') return { offence: 'replay', detail: 'prompt' };
    return fault === 'stale' ? { refusal: stale(prompt.ts - now) } : undefined;
  }
}

/** Not an offence: a wrong clock is the commonest fault of an honest computer. */
function stale(skewMs: number): QuarryError {
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `The prompt's time is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the worker's clock; ${FRESHNESS_MS / 1000} s are allowed.`,
    hint: 'Set the computer’s clock.',
    field: 'ts',
  });
}

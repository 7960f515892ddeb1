import { type Saying, say, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { PolicyWatcher } from '../../hardware/policy-watcher.ts';
import type { Conditions } from '../../learning/runs/learning-queue.ts';
import type { FixedConfig } from '../../settings/config.ts';

export interface ConditionsOptions {
  policy: Pick<PolicyWatcher, 'current' | 'subscribe'> | undefined;
  /** Requests that the engine has in hand for others than learning. */
  served: () => number;
  /** Answers that it was asked for so far, those of a moment ago too: a short one may be over before anybody looks. */
  asked: () => number;
  /** Milliseconds. Default performance.now. */
  now?: () => number;
  /** Milliseconds between two looks at the engine. Default 1,000. */
  lookEveryMs?: number;
}

/** Why nothing is ever learnt here, whoever asks for it: a model learns where it runs. Undefined: it can be. */
export function neverLearns({ backend }: Pick<FixedConfig, 'backend'>): Saying | undefined {
  return backend === 'remote' ? say('learning.noTokens') : undefined;
}

/** Milliseconds after an answer in which whoever got it may ask again. */
const QUIET_MS = 20_000;

/** Whether this computer has time to learn: nothing that the load policy looks at speaks against it, and nobody is being served. */
export class IdleConditions implements Conditions {
  readonly #options: ConditionsOptions;
  #servedAt: number | undefined;
  #asked: number;

  constructor(options: ConditionsOptions) {
    this.#options = options;
    this.#asked = options.asked();
  }

  against(): readonly Saying[] {
    const reasons = this.#options.policy?.current().reasons ?? [];
    const policy = reasons.map((reason) => say('learning.policy', { reason: wordsOf(reason, 'text') }));
    return this.#isServing() ? [...policy, say('learning.serving')] : policy;
  }

  subscribe(listener: () => void): () => void {
    const { policy, lookEveryMs = 1_000 } = this.#options;
    const unsubscribe = policy?.subscribe(listener);
    let before = this.#isServing();
    const timer = setInterval(() => {
      const serving = this.#isServing();
      if (serving !== before) listener();
      before = serving;
    }, lookEveryMs).unref();
    return () => {
      clearInterval(timer);
      unsubscribe?.();
    };
  }

  #isServing(): boolean {
    const { served, asked, now = () => performance.now() } = this.#options;
    const before = this.#asked;
    this.#asked = asked();
    if (served() > 0 || this.#asked !== before) this.#servedAt = now();
    return this.#servedAt !== undefined && now() - this.#servedAt < QUIET_MS;
  }
}

import type { Logger } from 'pino';
import { ListenerSet } from '../base/listener-set.ts';
import { Turns } from '../base/turns.ts';
import { decide, type PolicyDecision, type PolicyInputs } from './policy.ts';
import type { PolicySettings } from './policy-settings.ts';
import type { PolicySources } from './policy-sources.ts';
import { minuteOfDay } from './quiet-hours.ts';
import { type Reading, read } from './reading.ts';

export interface PolicyWatcherOptions {
  settings: PolicySettings;
  sources: PolicySources;
  log: Logger;
  now?: () => number;
  /** Milliseconds between looks. Default 10,000. */
  intervalMs?: number;
}

/** A source that takes longer counts as unknown. */
const SOURCE_TIMEOUT_MS = 5_000;

/** Looks at power, people, GPU, heat and clock, and tells when the decision changes. A resource. */
export class PolicyWatcher {
  readonly #options: PolicyWatcherOptions;
  #settings: PolicySettings;
  readonly #listeners = new ListenerSet<[decision: PolicyDecision]>();
  #timer: NodeJS.Timeout | undefined;
  readonly #turns = new Turns();
  /** A look that has not begun: who asks meanwhile gets that one. */
  #waiting: Promise<void> | undefined;
  #decision: PolicyDecision | undefined;

  constructor(options: PolicyWatcherOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  /** Decides once, then again every interval. */
  async open(): Promise<void> {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.check(), this.#options.intervalMs ?? 10_000);
    await this.check();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
    await this.#turns.ended();
  }

  /** The last decision; full speed before the first one. */
  current(): PolicyDecision {
    return this.#decision ?? { mode: 'full', reasons: [], rules: [], hot: false };
  }

  /** Calls back whenever mode or reasons change. @returns what ends that */
  subscribe(listener: (decision: PolicyDecision) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /** Goes by other settings from now on, and decides anew. */
  async configure(settings: PolicySettings): Promise<void> {
    this.#settings = settings;
    await this.check();
  }

  /** Looks anew; one after the other, for a look that is under way may have seen what was before. Never throws. */
  check(): Promise<void> {
    this.#waiting ??= this.#turns.take(() => {
      this.#waiting = undefined;
      return this.#check();
    });
    return this.#waiting;
  }

  async #check(): Promise<void> {
    const before = this.current();
    const decision = decide(await this.#look(before.hot), this.#settings);
    this.#decision = decision;
    if (sameOutcome(before, decision)) return;
    this.#options.log.info({ mode: decision.mode, reasons: decision.reasons }, 'load policy changed');
    this.#listeners.tell(decision);
  }

  async #look(wasHot: boolean): Promise<PolicyInputs> {
    const { sources, now = Date.now } = this.#options;
    const settings = this.#settings;
    const [battery, userIdleSeconds, otherGpu, temperature] = await Promise.all([
      ask(settings.onBattery !== 'off', sources.battery),
      ask(settings.userActive !== 'off', sources.userIdleSeconds),
      ask(settings.otherGpu !== 'off', sources.otherGpu),
      ask(settings.heat !== 'off', sources.temperature),
    ]);
    return { battery, userIdleSeconds, otherGpu, temperature, minuteOfDay: minuteOfDay(now()), wasHot };
  }
}

/** A source whose rule is off is left alone: some of them start a program. */
async function ask<T>(wanted: boolean, source: () => Promise<Reading<T>>): Promise<Reading<T>> {
  return wanted ? await read(SOURCE_TIMEOUT_MS, source) : { reason: 'not asked' };
}

/** A figure in a sentence may change all the time («61 °C», «62 °C»): only rules that come or go are news. */
function sameOutcome(before: PolicyDecision, after: PolicyDecision): boolean {
  const names = ({ mode, reasons }: PolicyDecision) => [mode, ...reasons.map(({ rule }) => rule)].join();
  return names(before) === names(after);
}

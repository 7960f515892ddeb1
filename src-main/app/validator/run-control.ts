import { setTimeout as pause } from 'node:timers/promises';
import type { AskedMiner, RunStateView, StartRequest } from '../../../src-preload/contract/validator-run.ts';
import { MOST_SHOWN_MINERS } from '../../../src-preload/contract/validator-run.ts';
import { TaskSet } from '../../base/task-set.ts';
import { Turns } from '../../base/turns.ts';
import type { Miner } from '../../validation/run/miner.ts';
import type { MinerTally } from '../../validation/run/miner-tallies.ts';
import type { ValidatorRunOptions } from '../../validation/run/run-options.ts';
import { ValidatorRun } from '../../validation/run/validator-run.ts';
import { faultOf } from './fault.ts';
import type { AllMiners } from './miners/all-miners.ts';

export interface RunControlOptions extends Omit<ValidatorRunOptions, 'miners' | 'mostAnswers'> {
  miners: Pick<AllMiners, 'list' | 'close' | 'fault'>;
  /** What is asked, by name. */
  names: () => string[];
  /** Before anything is asked. @throws what keeps it from beginning */
  prepare: () => Promise<void>;
  /** Milliseconds without a step after which a run is given up, and begun anew. Default 600,000 (Affine, the runner’s watchdog). */
  stuckMs?: number;
}

/** How often the run is looked at, at the least. */
const LOOK_MS = 10_000;
const STUCK_MS = 600_000;

/** The one run of this node: begun, ended, and begun anew where it does not go on. A resource. */
export class RunControl {
  readonly #options: RunControlOptions;
  readonly #turns = new Turns();
  /** Those that did not go on, and are not at their end yet. */
  readonly #ending = new TaskSet();
  #run: ValidatorRun | undefined;
  #mostAnswers: number | undefined;
  #stopping: ValidatorRun | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  /** When a run went on last that was given up. */
  #beatBefore: number | undefined;

  constructor(options: RunControlOptions) {
    this.#options = options;
  }

  /** Begins, unless it runs. @param answers nothing more is begun that could bring an answer beyond so many @throws DATABASE_UNREACHABLE and what else `prepare` throws */
  start({ answers }: StartRequest = {}): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#run) return;
      await this.#options.prepare();
      this.#beatBefore = undefined;
      this.#mostAnswers = answers;
      this.#begin();
    });
  }

  /** Ends what is being asked within seconds. Idempotent. */
  stop(): Promise<void> {
    return this.#turns.take(async () => {
      clearInterval(this.#watchdog);
      this.#stopping = this.#run;
      this.#run = undefined;
      await Promise.all([this.#stopping?.close(), Promise.race([this.#ending.ended(), this.#grace()])]);
      this.#stopping = undefined;
      await this.#options.miners.close();
    });
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** When it went on last, Unix milliseconds; undefined while it does not run. To be begun anew is not to go on. */
  get beatAt(): number | undefined {
    if (!this.#run) return undefined;
    const { beatAt, since } = this.#run.state;
    return beatAt > since ? beatAt : (this.#beatBefore ?? beatAt);
  }

  /** Questions since it began, by the model that the miner says it has. */
  get askedByModel(): Record<string, number> {
    return this.#run?.askedByModel ?? {};
  }

  view(): Omit<RunStateView, 'weights'> {
    const run = this.#run ?? this.#stopping;
    const environments = this.#options.names();
    if (!run) return { ...STOPPED, environments };
    const { miners, trouble, since, inFlight, answered, failed, notReached, takenOver, atBound } = run.state;
    const shown = miners.slice(0, MOST_SHOWN_MINERS).map((miner) => askedMiner(miner, run.tallies.read(miner.id)));
    const status = this.#run ? 'running' : 'stopping';
    const fault = faultOf(trouble ?? this.#options.miners.fault);
    const counts = { inFlight, answered, failed, notReached, takenOver, atBound };
    return { status, since, environments, ...counts, miners: shown, minerCount: miners.length, fault };
  }

  /** What hangs for good is not waited for for good. */
  #grace(): Promise<void> {
    return pause(this.#options.graceMs ?? 10_000, undefined, { ref: false });
  }

  #begin(): void {
    const { miners, ...options } = this.#options;
    this.#run = new ValidatorRun({ ...options, mostAnswers: this.#mostAnswers, miners: () => miners.list() });
    this.#run.open();
    const { stuckMs = STUCK_MS } = options;
    this.#watchdog = setInterval(() => this.#look(stuckMs), Math.min(LOOK_MS, stuckMs)).unref();
  }

  #look(stuckMs: number): void {
    const { now = Date.now, log } = this.#options;
    const run = this.#run;
    if (!run || now() - run.state.triedAt < stuckMs) return;
    log.error({ triedAt: run.state.triedAt }, 'the validator did not go on, and is begun anew');
    clearInterval(this.#watchdog);
    this.#beatBefore = this.beatAt;
    void this.#ending.add(run.close()).catch((err: unknown) => log.warn({ err }, 'a run that was given up failed'));
    this.#begin();
  }
}

const STOPPED = {
  ...{ status: 'stopped' as const, since: null, inFlight: 0, answered: 0, failed: 0 },
  ...{ notReached: 0, takenOver: 0, atBound: 0 },
  ...{ miners: [], minerCount: 0, fault: null },
};

function askedMiner(
  { id: miner, kind, model, uid }: Miner,
  { error, inFlight, judging, ...tally }: MinerTally,
): AskedMiner {
  return { miner, kind, model, uid, inFlight: inFlight + judging, ...tally, fault: faultOf(error) };
}

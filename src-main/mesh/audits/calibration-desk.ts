import type { Logger } from 'pino';
import type { CalibrationRun } from '../../../src-preload/contract/audits.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { errorView } from '../../base/error-view.ts';
import { secondsLeft } from '../../base/seconds-left.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import type { AuditSums } from '../../inference/verified/audit.ts';
import {
  CALIBRATION_ANSWERS,
  calibrated,
  type HonestAnswer,
  honestAnswers,
} from '../../inference/verified/calibrate.ts';
import { CALIBRATION_PROBES, honestProbes } from '../../inference/verified/honest-probes.ts';
import { thresholdsOfWhole } from '../../inference/verified/thresholds.ts';
import type { AuditCalibrationRow, InferenceAuditStore } from '../../store/mesh/inference-audits.ts';
import type { Auditor } from './audit-desk.ts';

/** Answers and probes that a model is measured by, if it can be asked both. */
const ALL = CALIBRATION_ANSWERS + CALIBRATION_PROBES;

/** The model that is loaded, for people of this computer. */
export type LoadedModel = Auditor & {
  name: string;
  /** Tokens that it has; undefined where nobody tells. */
  vocabulary: number | undefined;
  backend: Pick<InferenceBackend, 'generate' | 'probe'>;
};

/** What a model was measured by. */
interface Honest {
  answers: HonestAnswer[];
  /** None where it can be asked none. */
  probes: AuditSums[][];
}

export interface CalibrationDeskOptions {
  /** Loads the model where it is not; it stays until the result is disposed of. @throws what loading throws */
  load: (signal: AbortSignal) => Promise<LoadedModel & Disposable>;
  store: Pick<InferenceAuditStore, 'calibrate'>;
  /** Told whenever {@link CalibrationDesk.run} is another. */
  onChange: () => void;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** Calibrates audits, one model at a time: goes on whether or not somebody looks on. A resource. */
export class CalibrationDesk {
  readonly #options: CalibrationDeskOptions;
  readonly #now: () => number;
  #run: CalibrationRun | undefined;
  #cancel = new AbortController();
  #work: Promise<void> = Promise.resolve();

  constructor(options: CalibrationDeskOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The one under way, or how the last one ended; undefined before the first. */
  get run(): CalibrationRun | undefined {
    return this.#run;
  }

  /** Nothing where one is under way. */
  begin(): void {
    if (this.#run?.state === 'loading' || this.#run?.state === 'running') return;
    this.#cancel = new AbortController();
    this.#run = { state: 'loading', name: null, model: null, done: 0, of: ALL, secondsLeft: null };
    this.#options.onChange();
    this.#work = this.#calibrate(this.#cancel.signal);
  }

  /** Nothing of it is kept. Resolves when it has come to rest; at once where none is under way. */
  async cancel(): Promise<void> {
    this.#cancel.abort();
    await this.#work;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.cancel();
  }

  /** Never throws. */
  async #calibrate(signal: AbortSignal): Promise<void> {
    try {
      using own = await this.#options.load(signal);
      this.#tell({ state: 'running', name: own.name, model: own.sha256 });
      await this.#options.store.calibrate(this.#rowOf(own, await this.#measured(own, signal)));
      this.#tell({ state: 'done', secondsLeft: null });
    } catch (cause) {
      if (signal.aborted) this.#tell({ state: 'cancelled', secondsLeft: null });
      else this.#fail(cause);
    }
  }

  async #measured(own: LoadedModel, signal: AbortSignal): Promise<Honest> {
    const began = this.#now();
    const of = own.backend.probe && own.vocabulary !== undefined ? ALL : CALIBRATION_ANSWERS;
    const honest: Honest = { answers: [], probes: [] };
    const tell = () => {
      const done = honest.answers.length + honest.probes.length;
      this.#tell({ done, of, secondsLeft: secondsLeft({ done, of }, this.#now() - began) });
    };
    for await (const answer of honestAnswers(own.backend, { signal })) {
      honest.answers.push(answer);
      tell();
    }
    for await (const probe of probesOf(own, signal)) {
      honest.probes.push(probe);
      tell();
    }
    return honest;
  }

  #rowOf({ sha256: model, name, device }: LoadedModel, { answers, probes }: Honest): AuditCalibrationRow {
    const tokens = answers.reduce((sum, { audits }) => sum + audits.length, 0);
    const ofProbes = probes.length > 0 && { probes: thresholdsOfWhole(probes) };
    const thresholds = JSON.stringify({ ...calibrated(answers), ...ofProbes });
    return { model, name, thresholds, tokens, answers: answers.length, device, at: this.#now() };
  }

  #fail(cause: unknown): void {
    const error = QuarryError.from(cause);
    if (error.code === 'INTERNAL') this.#options.log.error({ err: cause }, 'audits were not calibrated');
    this.#tell({ state: 'failed', secondsLeft: null, error: errorView(error) });
  }

  #tell(news: Partial<CalibrationRun>): void {
    if (this.#run) this.#run = { ...this.#run, ...news };
    this.#options.onChange();
  }
}

async function* probesOf({ backend, vocabulary }: LoadedModel, signal: AbortSignal) {
  if (backend.probe && vocabulary !== undefined) yield* honestProbes(backend.probe, { vocabulary, signal });
}

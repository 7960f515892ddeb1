import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import { makeWhole } from '../../base/atomic-folder.ts';
import { entryModule } from '../../base/installation.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { GgufError } from '../../gguf/gguf-error.ts';
import { invalid, readModelHeader } from '../../gguf/model-file.ts';
import { CheckedChild } from '../../process/checked-child.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../process/child-environment.ts';
import { revived } from '../../process/failure.ts';
import { type Launch, nodeSpawner, type ProcessSpawner } from '../../process/process-spawner.ts';
import { type Plan, plan } from './forecast.ts';
import { gpuFailed } from './gpu-failed.ts';
import { endIfHanging, type Patience } from './hanging.ts';
import { checkTensors } from './model/model-weights.ts';
import { modelShape } from './model/shape.ts';
import {
  checkLengths,
  DEFAULT_LONGEST,
  type Forecast,
  type StepFigures,
  type StepOptions,
  secondsFor,
  type Trainer,
  type TrainerModel,
  type TrainingSample,
} from './trainer.ts';
import { reportSchema, settingsSchema, type TrainingReport, type TrainingTask } from './training-messages.ts';

const ENTRY = entryModule('learning/training/child/training-child');
const MIB = 2 ** 20;
const DEFAULT_MEMORY = 2_000_000_000;
/** Samples are the most of what V8 keeps; weights are outside of its heap. */
const HEAP_MIB = 512;

export interface JaxTrainerOptions {
  /** Default: a process of Node. */
  spawner?: ProcessSpawner | undefined;
  /** Bytes that the process may take; beyond it it is ended. Default 2,000,000,000. */
  memoryLimit?: number | undefined;
  /** Computes on the GPU, in a page that the spawner opens beside the process. Default: in the process, by WebAssembly. */
  onPage?: boolean | undefined;
  /** See {@link Trainer.computes}. */
  computes?: Saying | undefined;
  /** The page failed, or died with the process: what it computed is lost. Told before anything else hears of it. */
  onPageLost?: ((why: Words) => void) | undefined;
  /** From -20 to 19, as for `os.setPriority`. Default 10: after what people wait for. */
  priority?: number | undefined;
}

type Task = TrainingTask['task'];
type Waiting = PromiseWithResolvers<TrainingReport> & { task: Task };

/** What fails so is no fault of the GPU's: of the samples, of whoever has had enough, of the disk. */
const NOT_OF_GPU: readonly ErrorCode[] = ['BAD_REQUEST', 'CANCELLED', 'DISK_FULL'];

type Unnumbered<Task> = Task extends TrainingTask ? Omit<Task, 'id'> : never;

/**
 * Gradients in TypeScript, by jax-js, in a process of its own: what is asked of it is done in turn. By WebAssembly, with one thread; or by WebGPU in a page, to which the
 * process gives weights and from which it saves.
 */
export class JaxTrainer implements Trainer {
  readonly #options: JaxTrainerOptions;
  #open: { model: TrainerModel; plan: Plan; child: CheckedChild<TrainingReport> } | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  /** Whoever closes it while somebody else does waits for the same. */
  #ending: Promise<void> = Promise.resolve();

  constructor(options: JaxTrainerOptions = {}) {
    this.#options = options;
  }

  get computes(): Saying | undefined {
    return this.#options.computes;
  }

  /** The process, for whoever measures it. */
  get pid(): number | undefined {
    return this.#open?.child.pid;
  }

  async open(model: TrainerModel, signal?: AbortSignal): Promise<Forecast> {
    signal?.throwIfAborted();
    if (this.#open) {
      if (isDeepStrictEqual(this.#open.model, model)) return this.#open.plan;
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('training.busy') });
    }
    const settings = settingsSchema.parse(model.settings);
    const planned = await planFor(model, this.#memoryLimit);
    signal?.throwIfAborted();
    this.#open = { model: structuredClone(model), plan: planned, child: this.#start() };
    const { modelPath, from } = model;
    const { onPage } = this.#options;
    try {
      await this.#ask({ task: 'open', modelPath, from, settings, keep: planned.keep, onPage }, { signal });
    } catch (error) {
      await this.close();
      throw error;
    }
    return planned;
  }

  async step(samples: readonly TrainingSample[], { rate = 1, signal }: StepOptions = {}): Promise<StepFigures> {
    checkLengths(samples, this.#open?.model.longest);
    const patience = { signal, foreseen: secondsFor(samples, this.#open?.plan) };
    const report = await this.#ask({ task: 'step', rate, samples: [...samples] }, patience);
    return 'figures' in report ? report.figures : this.#nonsense();
  }

  async score(sample: Pick<TrainingSample, 'prompt' | 'response'>, signal?: AbortSignal): Promise<number[]> {
    checkLengths([sample], this.#open?.model.longest);
    const { prompt, response } = sample;
    const patience = { signal, foreseen: secondsFor([sample], this.#open?.plan) };
    const report = await this.#ask(
      { task: 'score', sample: { prompt: [...prompt], response: [...response] } },
      patience,
    );
    return 'logprobs' in report ? report.logprobs : this.#nonsense();
  }

  async save(folder: string, signal?: AbortSignal): Promise<void> {
    if (await stat(folder).catch(ifMissing)) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('training.exists', { folder }) });
    }
    const model = basename(this.#open?.model.modelPath ?? '');
    await makeWhole(folder, async (temporary) => {
      await this.#ask({ task: 'save', folder: temporary, model }, { signal });
    });
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open) this.#ending = open.child.close();
    await this.#ending;
    this.#fail(new QuarryError({ code: 'CANCELLED', message: say('training.notOpen') }));
  }

  get #memoryLimit(): number {
    return this.#options.memoryLimit ?? DEFAULT_MEMORY;
  }

  #start(): CheckedChild<TrainingReport> {
    const { spawner = nodeSpawner, priority = 10, onPage } = this.#options;
    return new CheckedChild({
      spawner,
      launch: trainerLaunch({ limits: { memoryMiB: this.#memoryLimit / MIB, priority }, gpuPage: onPage }),
      messages: reportSchema,
      onMessage: (report) => this.#onReport(report),
      onDeath: (reason) => this.#onDeath(reason),
    });
  }

  /** @throws what the task failed with; INTERNAL, or WORKER_LOST with a page, where the process dies or hangs; the signal’s reason: then the process is ended */
  async #ask(task: Unnumbered<TrainingTask>, patience: Patience): Promise<TrainingReport> {
    const { signal } = patience;
    signal?.throwIfAborted();
    if (!this.#open) throw new QuarryError({ code: 'NOT_RUNNING', message: say('training.notOpen') });
    const id = ++this.#lastId;
    const answer = { ...Promise.withResolvers<TrainingReport>(), task: task.task };
    this.#waiting.set(id, answer);
    const abort = () => answer.reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    const deadline = endIfHanging(this.#open.child, patience);
    try {
      this.#open.child.send({ ...task, id });
      return await answer.promise;
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
      this.#waiting.delete(id);
      if (signal?.aborted) await this.close();
    }
  }

  #onReport(report: TrainingReport): void {
    const answer = this.#waiting.get(report.id);
    if (!answer) return;
    if ('failed' in report) answer.reject(this.#failure(revived(report.failed), answer.task));
    else answer.resolve(report);
  }

  #onDeath(reason: Words): void {
    this.#open = undefined;
    const message = say('training.died', { reason });
    const code = this.#options.onPage ? 'WORKER_LOST' : 'INTERNAL';
    this.#fail(this.#failure(new QuarryError({ code, message, hint: say('training.again'), retryable: true })));
  }

  /**
   * Where the GPU has failed, the code says that it is no fault of the task: what was saved goes on elsewhere. What opens is told by the process itself, which has read
   * model and adapter, whether it was the GPU.
   */
  #failure(error: QuarryError, task?: Task): QuarryError {
    const { onPage, onPageLost } = this.#options;
    const isAtWork = task !== undefined && task !== 'open';
    const isOfGpu = error.code === 'WORKER_LOST' || (isAtWork && !NOT_OF_GPU.includes(error.code));
    if (!onPage || !isOfGpu) return error;
    const lost = error.code === 'WORKER_LOST' && error.retryable ? error : gpuFailed(error);
    onPageLost?.(wordsOf(lost, 'message'));
    return lost;
  }

  #fail(error: QuarryError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }

  /** The process has answered something else than it was asked. */
  #nonsense(): never {
    throw new QuarryError({ code: 'INTERNAL', message: say('training.died', { reason: say('child.nonsense') }) });
  }
}

/** How the trainer's process is started. */
export function trainerLaunch({ limits, gpuPage }: Pick<Launch, 'limits' | 'gpuPage'>): Launch {
  return {
    name: 'the trainer',
    run: ENTRY,
    env: allowedEnvironment(BASIC_ENVIRONMENT),
    limits: { heapMiB: HEAP_MIB, ...limits },
    gpuPage,
  };
}

/**
 * Whether and how a model can be trained, and what that takes; reads the head of its file and nothing else.
 * @param limit bytes of memory
 * @throws UNSUPPORTED; OUT_OF_MEMORY with what would fit; MODEL_NOT_FOUND, MODEL_INVALID
 */
export async function planFor(
  model: Pick<TrainerModel, 'modelPath' | 'settings' | 'longest'>,
  limit: number,
): Promise<Plan> {
  const { modelPath, settings, longest = DEFAULT_LONGEST } = model;
  const header = await readModelHeader(modelPath);
  try {
    const shape = modelShape(header);
    checkTensors(header, shape);
    return plan({ shape, settings, longest }, limit);
  } catch (error) {
    if (error instanceof GgufError) throw invalid(modelPath, error.why, { cause: error });
    throw error;
  }
}

import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { syncFile, syncFolder, writeNew } from '../../../base/atomic-file.ts';
import { makeWhole } from '../../../base/atomic-folder.ts';
import { makeFolder } from '../../../base/folder.ts';
import { ifMissing } from '../../../base/swallowed.ts';
import { ADAPTER_GGUF, PEFT_CONFIG } from '../../formats/adapter-files.ts';
import { writeAdapterGguf } from '../../formats/gguf-adapter.ts';
import { readPeft } from '../../formats/peft-adapter.ts';
import { peftConfigText } from '../../formats/peft-config.ts';
import type { Patience } from '../hanging.ts';
import {
  type Forecast,
  type StepFigures,
  type StepOptions,
  secondsFor,
  type Trainer,
  type TrainerModel,
  type TrainingSample,
} from '../trainer.ts';
import { checkSamples, checkScored } from './check-samples.ts';
import { type OpenTorch, openTorch, type TorchOptions } from './open-torch.ts';
import { type Sample, writeSamples } from './sample-file.ts';
import type { Done, Task } from './torch-messages.ts';
import { died } from './torch-process.ts';

export interface TorchTrainerOptions extends TorchOptions {
  /** Where it keeps what it hands to its child until it is closed. One trainer at a time has it: what another left is removed. */
  workFolder: string;
}

/**
 * Gradients in PyTorch, in a process of its own: for models that are too large for our own, and for GPUs. A call that its signal ends takes the process with it, and what was not
 * saved: the trainer can be opened again.
 */
export class TorchTrainer implements Trainer {
  readonly #options: TorchTrainerOptions;
  #work: string | undefined;
  #model: TrainerModel | undefined;
  #opened: OpenTorch | undefined;
  #files = 0;
  #peakBytes = 0;

  constructor(options: TorchTrainerOptions) {
    this.#options = options;
  }

  get computes(): Saying {
    return say(this.#options.device === 'cuda' ? 'training.byTorchGpu' : 'training.byTorch');
  }

  /** The child's process, where there is one. */
  get pid(): number | undefined {
    return this.#opened?.process.pid;
  }

  /** Memory that the child took at the most: of the GPU where it computes, else of its process; 0 where that is not known. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  async open(model: TrainerModel, signal?: AbortSignal): Promise<Forecast> {
    if (this.#opened) {
      if (isDeepStrictEqual(this.#model, model)) return this.#opened.forecast;
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('training.busy') });
    }
    try {
      this.#model = structuredClone(model);
      this.#work = await newWorkFolder(this.#options.workFolder);
      this.#opened = await openTorch(model, this.#work, this.#options, signal);
      return this.#opened.forecast;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async step(samples: readonly TrainingSample[], { rate = 1, signal }: StepOptions = {}): Promise<StepFigures> {
    checkSamples(samples, this.#open().rules);
    const { figures, peakBytes = 0 } = await this.#ask(
      (path) => ({ do: 'step', samples: path, rate }),
      samples,
      signal,
    );
    this.#peakBytes = peakBytes;
    if (!figures) throw died(say('child.nonsense'));
    const { isRatio, clipFraction, ...always } = figures;
    return {
      ...always,
      ...(isRatio !== undefined && { isRatio }),
      ...(clipFraction !== undefined && { clipFraction }),
    };
  }

  async score(sample: Pick<TrainingSample, 'prompt' | 'response'>, signal?: AbortSignal): Promise<number[]> {
    const { prompt, response } = sample;
    checkScored(sample, this.#open().rules);
    const { logprobs } = await this.#ask((path) => ({ do: 'score', samples: path }), [{ prompt, response }], signal);
    if (logprobs?.length !== response.length) throw died(say('child.nonsense'));
    return logprobs;
  }

  async save(folder: string, signal?: AbortSignal): Promise<void> {
    const { base, outline } = this.#open();
    if (await stat(folder).catch(ifMissing)) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('training.exists', { folder }) });
    }
    await makeWhole(folder, async (unfinished) => {
      await mkdir(unfinished, { recursive: true });
      await this.#tell({ do: 'save', folder: unfinished }, { signal });
      await writeNew(join(unfinished, PEFT_CONFIG), peftConfigText(outline, basename(this.#model?.modelPath ?? '')));
      const adapter = await readPeft(unfinished, base); // and with that checked
      await writeAdapterGguf(join(unfinished, ADAPTER_GGUF), adapter, base);
      await syncFile(join(unfinished, ADAPTER_GGUF));
      await syncFolder(unfinished);
    });
  }

  async close(): Promise<void> {
    const [opened, work] = [this.#opened, this.#work];
    this.#opened = undefined;
    this.#work = undefined;
    await opened?.process.close();
    if (work !== undefined) await rm(work, { recursive: true, force: true });
  }

  /** @param task with the path of the file that the samples are in */
  async #ask(task: (path: string) => Task, samples: readonly Sample[], signal?: AbortSignal): Promise<Done> {
    const { forecast } = this.#open();
    const path = join(this.#work as string, `samples-${++this.#files}.safetensors`);
    try {
      await writeSamples(path, samples);
      return await this.#tell(task(path), { signal, foreseen: secondsFor(samples, forecast) });
    } finally {
      await rm(path, { force: true });
    }
  }

  /** A process that has ended takes the rest with it. */
  async #tell(task: Task, patience: Patience): Promise<Done> {
    const { process } = this.#open();
    try {
      return await process.ask(task, patience);
    } finally {
      if (process.ended || patience.signal?.aborted) await this.close();
    }
  }

  #open(): OpenTorch {
    if (this.#opened) return this.#opened;
    throw new QuarryError({ code: 'NOT_RUNNING', message: say('training.notOpen') });
  }
}

const WORK = 'work-';

async function newWorkFolder(parent: string): Promise<string> {
  await makeFolder(parent);
  const old = (await readdir(parent)).filter((name) => name.startsWith(WORK));
  for (const name of old) await rm(join(parent, name), { recursive: true, force: true });
  return await mkdtemp(join(parent, WORK));
}

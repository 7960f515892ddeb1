import type { Logger } from 'pino';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import {
  TORCH_VARIANTS,
  type TorchProgress,
  type TorchVariant,
  type TorchView,
} from '../../../../src-preload/contract/learning-torch.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { Changes } from '../../../base/changes.ts';
import { folderBytes } from '../../../base/folder-bytes.ts';
import { ignoring } from '../../../base/swallowed.ts';
import type { Forecast, Trainer, TrainerModel } from '../trainer.ts';
import { foreseeTorch } from './open-torch.ts';
import type { InstalledTorch, TorchEnvironment } from './torch-environment.ts';
import { TorchTrainer } from './torch-trainer.ts';

export interface TorchOptions {
  environment: Pick<TorchEnvironment, 'state' | 'installed' | 'size' | 'install' | 'remove'>;
  /** Where that is. */
  folder: string;
  log: Logger;
}

interface Installation {
  variant: TorchVariant;
  stop: AbortController;
  progress: TorchProgress | undefined;
  /** Never rejects. @returns what it failed with */
  ended: Promise<unknown>;
  isOver: boolean;
}

/** PyTorch on this computer: whether it is there, how it comes and goes, and trainers in it. */
export class Torch {
  readonly #options: TorchOptions;
  readonly #changes = new Changes();
  readonly #trainers = new Set<TorchTrainer>();
  #installation: Installation | undefined;
  /** What an installation takes: it has thousands of files, and does not change. */
  #size: { env: string; bytes: Promise<number> } | undefined;

  constructor(options: TorchOptions) {
    this.#options = options;
  }

  async view(): Promise<TorchView> {
    const { environment } = this.#options;
    const [state, installed] = await Promise.all([environment.state(), environment.installed()]);
    const progress = this.#installation?.progress ?? null;
    const known = state === 'ready' && installed ? await this.#described(installed) : null;
    return { state, installed: known, choices: await this.#choices(), progress };
  }

  async #described({ variant, tool, python, torch, env }: InstalledTorch): Promise<TorchView['installed']> {
    if (this.#size?.env !== env) this.#size = { env, bytes: folderBytes(this.#options.folder) };
    return { variant, tool, python, torch, bytes: await this.#size.bytes };
  }

  /**
   * Begins to install it, or looks on where that is under way; goes on when nobody looks on any more.
   * @throws see the contract
   */
  async *install(variant: TorchVariant, signal: AbortSignal): AsyncGenerator<TorchProgress, void, undefined> {
    this.#installation ??= this.#begin(variant);
    const installation = this.#installation;
    if (installation.variant !== variant) throw busy();
    let told: TorchProgress | undefined;
    while (!signal.aborted) {
      const { count } = this.#changes;
      const { progress, isOver } = installation;
      if (progress && progress !== told) yield progress;
      told = progress;
      if (isOver) break;
      await this.#changes.after(count, signal);
    }
    if (!installation.isOver) return;
    const error = await installation.ended;
    if (error !== undefined) throw error;
  }

  /** Idempotent; resolves when it has come to its end. */
  async cancel(): Promise<void> {
    this.#installation?.stop.abort(new QuarryError({ code: 'CANCELLED', message: say('torch.cancelled') }));
    await this.#installation?.ended;
  }

  /** @throws BAD_REQUEST while it is being installed or used */
  async remove(): Promise<void> {
    if ([...this.#trainers].some(({ pid }) => pid !== undefined)) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('torch.inUse') });
    }
    await this.#options.environment.remove();
  }

  async isReady(): Promise<boolean> {
    return (await this.#options.environment.state()) === 'ready';
  }

  /** Whether it was installed for GPUs: then what it takes is a GPU's memory. */
  async isForGpus(): Promise<boolean> {
    return (await this.#options.environment.installed())?.variant === 'cuda';
  }

  /**
   * What a training would take, see `foreseeTorch`.
   * @param memoryLimit bytes of the processor's memory
   * @throws UNSUPPORTED; OUT_OF_MEMORY
   */
  async forecast(model: Pick<TrainerModel, 'modelPath' | 'settings'>, memoryLimit: number): Promise<Forecast> {
    return await foreseeTorch(model, { device: (await this.isForGpus()) ? 'cuda' : 'cpu', memoryLimit });
  }

  /** @param workFolder see `TorchTrainerOptions` @throws NOT_RUNNING where it is not installed */
  async trainer(workFolder: string, memoryLimit: number): Promise<Trainer> {
    const installed = await this.#options.environment.installed();
    if (!installed) throw new QuarryError({ code: 'NOT_RUNNING', message: say('torch.absent') });
    const { program: python, variant } = installed;
    for (const one of this.#trainers) if (one.pid === undefined) this.#trainers.delete(one);
    const device = variant === 'cpu' ? ('cpu' as const) : undefined;
    const trainer = new TorchTrainer({ python, device, memoryLimit, workFolder, log: this.#options.log });
    this.#trainers.add(trainer);
    return trainer;
  }

  #begin(variant: TorchVariant): Installation {
    const stop = new AbortController();
    const onProgress = (progress: TorchProgress) => {
      installation.progress = progress;
      this.#changes.tell();
    };
    const work = this.#options.environment.install({ variant }, stop.signal, onProgress);
    const ended = work.then(
      () => undefined,
      (error: unknown) => error,
    );
    const installation: Installation = { variant, stop, progress: undefined, ended, isOver: false };
    void ended.then((error) => this.#end(installation, error));
    return installation;
  }

  #end(installation: Installation, error: unknown): void {
    const { variant } = installation;
    if (error === undefined) this.#options.log.info({ variant }, 'PyTorch is installed');
    else this.#options.log.warn({ err: error, variant }, 'PyTorch was not installed');
    installation.isOver = true;
    this.#installation = undefined;
    this.#changes.tell();
  }

  async #choices(): Promise<TorchView['choices']> {
    const none = ignoring('there is none of this sort for this computer, and the others say so');
    const found = TORCH_VARIANTS.map(async (variant) => {
      const size = await this.#options.environment.size(variant).catch(none);
      return size ? [{ variant, ...size }] : [];
    });
    return (await Promise.all(found)).flat();
  }
}

function busy(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('torch.busy') });
}

import { planFor } from '../training/jax-trainer.ts';
import type { Torch } from '../training/torch/torch.ts';
import type { Forecast, Trainer, TrainerModel } from '../training/trainer.ts';

/** What computes on this node: our own trainer, or PyTorch. */
export type OwnTrainer = 'here' | 'torch';

export interface OwnTrainersOptions {
  torch: Pick<Torch, 'isReady' | 'isForGpus' | 'forecast' | 'trainer'>;
  /** Our own trainer. @param memoryLimit bytes */
  here: { create(memoryLimit: number): Promise<Trainer> };
  /** Bytes of memory that a training may take, by the setting. */
  memoryLimit: () => number;
}

/** Trainers on this node, for itself and for others of its owner's. */
export class OwnTrainers {
  readonly #options: OwnTrainersOptions;

  constructor(options: OwnTrainersOptions) {
    this.#options = options;
  }

  /** Whether PyTorch is installed, so that it can be chosen. */
  hasTorch(): Promise<boolean> {
    return this.#options.torch.isReady();
  }

  /**
   * What a training would take, by the head of the model's file.
   * @throws UNSUPPORTED; OUT_OF_MEMORY with what would fit; MODEL_NOT_FOUND, MODEL_INVALID
   */
  async forecast(which: OwnTrainer, model: Pick<TrainerModel, 'modelPath' | 'settings'>): Promise<Forecast> {
    const { torch, memoryLimit } = this.#options;
    if (which === 'torch') return await torch.forecast(model, memoryLimit());
    return await planFor(model, memoryLimit());
  }

  /** Bytes that one may take; a GPU's memory is only looked at when a training opens. */
  async memoryLimit(which: OwnTrainer): Promise<number> {
    const { torch, memoryLimit } = this.#options;
    const isOnGpu = which === 'torch' && (await torch.isForGpus());
    return isOnGpu ? Number.POSITIVE_INFINITY : memoryLimit();
  }

  /** One that is not open. @param work folder for what PyTorch is handed; one trainer at a time has it */
  async create(which: OwnTrainer, work: string): Promise<Trainer> {
    const { torch, here, memoryLimit } = this.#options;
    if (which === 'torch') return await torch.trainer(work, memoryLimit());
    return await here.create(memoryLimit());
  }
}

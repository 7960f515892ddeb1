import { planFor } from '../../learning/training/jax-trainer.ts';
import type { Forecast, Trainer, TrainerModel } from '../../learning/training/trainer.ts';
import type { GpuTrainers } from './gpu-trainers.ts';
import type { Torch } from './torch.ts';

/** What computes on this node: our own trainer, or PyTorch. */
export type OwnTrainer = 'here' | 'torch';

export interface OwnTrainersOptions {
  torch: Pick<Torch, 'isReady' | 'isForGpus' | 'forecast' | 'trainer'>;
  here: Pick<GpuTrainers, 'create'>;
  /** Most memory in MB that a training may take: the setting. */
  memoryMb: () => number;
}

const MIB = 2 ** 20;

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
    if (which === 'torch') return await this.#options.torch.forecast(model, this.#limit);
    return await planFor(model, this.#limit);
  }

  /** Bytes that one may take; a GPU's memory is only looked at when a training opens. */
  async memoryLimit(which: OwnTrainer): Promise<number> {
    const isOnGpu = which === 'torch' && (await this.#options.torch.isForGpus());
    return isOnGpu ? Number.POSITIVE_INFINITY : this.#limit;
  }

  /** One that is not open. @param work folder for what PyTorch is handed; one trainer at a time has it */
  async create(which: OwnTrainer, work: string): Promise<Trainer> {
    const { torch, here, memoryMb } = this.#options;
    if (which === 'torch') return await torch.trainer(work, this.#limit);
    return await here.create(memoryMb());
  }

  get #limit(): number {
    return this.#options.memoryMb() * MIB;
  }
}

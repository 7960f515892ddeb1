import type { Logger } from 'pino';
import { say, sentence, type Words } from '../../../src-preload/contract/saying.ts';
import { JaxTrainer } from '../../learning/training/jax-trainer.ts';
import { checkGpu, type GpuCheck } from '../../learning/training/page/gpu-check.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { GpuPages } from '../host/host-ports.ts';

export interface GpuTrainersOptions {
  /** Default: Node's own way. */
  spawner?: ProcessSpawner | undefined;
  /** Pages with WebGPU; undefined where the spawner opens none. */
  pages: GpuPages | undefined;
  log: Logger;
}

/** A page that says nothing for so long has no GPU for us. The check took 12 s with WebGPU on a processor of two busy cores. */
const CHECK_MS = 60_000;

/** Our own trainer: on the GPU where there is one that computes as the processor does, else on the processor. */
export class GpuTrainers {
  readonly #options: GpuTrainersOptions;
  /** What is known of the GPU: found out once, before the first training. */
  #found: Promise<GpuCheck> | undefined;

  constructor(options: GpuTrainersOptions) {
    this.#options = options;
  }

  /** One that is not open. @param memoryLimit bytes */
  async create(memoryLimit: number): Promise<JaxTrainer> {
    const { spawner, pages } = this.#options;
    if (!pages || !spawner) return new JaxTrainer({ spawner, memoryLimit, computes: say('training.byProcessor') });
    this.#found ??= this.#check(spawner, pages);
    const found = await this.#found;
    if ('why' in found) {
      return new JaxTrainer({ spawner, memoryLimit, computes: say('training.byProcessorFor', { why: found.why }) });
    }
    return new JaxTrainer({
      ...{ spawner, memoryLimit, onPage: true, computes: say('training.byGpu', { name: found.gpu }) },
      onPageLost: (why) => this.#forget(why),
    });
  }

  async #check(spawner: ProcessSpawner, { acceptsSoftware }: GpuPages): Promise<GpuCheck> {
    const { log } = this.#options;
    const signal = AbortSignal.timeout(CHECK_MS);
    const failed = (error: Error): GpuCheck => ({ why: say('training.noGpuFor', { why: error.message }) });
    const found = await checkGpu({ spawner, acceptsSoftware, signal }).catch(failed);
    log.info('gpu' in found ? found : { why: sentence(found.why) }, 'learning on the GPU');
    return found;
  }

  /** It failed while it trained, which the check had not shown: for as long as this node runs, the processor does it. */
  #forget(why: Words): void {
    this.#options.log.warn({ why: sentence(why) }, 'learning goes on without the GPU');
    this.#found = Promise.resolve({ why });
  }
}

import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say, type Words, wordsOf } from '../../../../src-preload/contract/saying.ts';
import { childTask } from '../../../process/child-task.ts';
import { revived } from '../../../process/failure.ts';
import type { ProcessSpawner } from '../../../process/process-spawner.ts';
import { WASM_FLOPS } from '../forecast.ts';
import { trainerLaunch } from '../jax-trainer.ts';
import { type PageDevice, reportSchema, type TrainingReport, type TrainingTask } from '../training-messages.ts';
import { MOST_DIFFERENCE } from './self-check.ts';

export interface GpuCheckOptions {
  /** One that opens pages. */
  spawner: ProcessSpawner;
  /** Takes WebGPU on the processor, too, however slow. */
  acceptsSoftware: boolean;
  signal: AbortSignal;
}

/** A GPU that computes as it should: what it is called; or why there is none, in a sentence. */
export type GpuCheck = { gpu: string } | { why: Words };

type Checked = { device: PageDevice; difference: number };

/**
 * Opens a page for a moment and has it compute gradients that the processor computes as well.
 * @throws the signal’s reason
 */
export async function checkGpu({ spawner, acceptsSoftware, signal }: GpuCheckOptions): Promise<GpuCheck> {
  try {
    const { device, difference } = await childTask<TrainingReport, Checked>({
      ...{ spawner, signal, messages: reportSchema },
      launch: trainerLaunch({ gpuPage: true }),
      task: { task: 'check', id: 1 } satisfies TrainingTask,
      onReport(report, end) {
        if ('difference' in report) end.resolve(report);
        if ('failed' in report) end.reject(revived(report.failed));
      },
      died: (reason) => say('training.died', { reason }),
    });
    return judged(device, difference, acceptsSoftware);
  } catch (error) {
    signal.throwIfAborted();
    const failure = QuarryError.from(error);
    const why = wordsOf(failure, 'message');
    return { why: failure.code === 'UNSUPPORTED' ? why : say('training.noGpuFor', { why }) };
  }
}

function judged({ name, isSoftware, flops }: PageDevice, difference: number, acceptsSoftware: boolean): GpuCheck {
  if (difference > MOST_DIFFERENCE) {
    return { why: say('training.otherGradients', { name, percent: (100 * difference).toPrecision(2) }) };
  }
  if (acceptsSoftware) return { gpu: name };
  if (isSoftware) return { why: say('training.softwareGpu', { name }) };
  if (flops < WASM_FLOPS) return { why: say('training.slowGpu', { name, flops: flops / 1e9 }) };
  return { gpu: name };
}

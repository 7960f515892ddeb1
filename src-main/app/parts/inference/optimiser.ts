import { Changes } from '../../../base/changes.ts';
import { OptimiserStore } from '../../../store/optimiser.ts';
import { compileKernel } from '../../../subnets/quasar/optimiser/compile/compile-kernel.ts';
import { type KernelsJudged, kernelTask } from '../../optimiser/kernel-task.ts';
import { OptimiserResults } from '../../optimiser/optimiser-results.ts';
import { OptimiserRuns } from '../../optimiser/optimiser-runs.ts';
import type { Core } from '../core.ts';
import type { EvaluationPart } from './evaluation.ts';

/** Has models write kernels that are faster than those there are; every node can. */
export interface OptimiserPart {
  readonly runs: Pick<OptimiserRuns, 'start' | 'resume' | 'stop' | 'remove'>;
  readonly results: OptimiserResults;
}

export async function openOptimiser(
  { db, ports, log, onClose, onDrain }: Pick<Core, 'db' | 'ports' | 'log' | 'onClose' | 'onDrain'>,
  { evaluation: { door }, kernels }: { evaluation: Pick<EvaluationPart, 'door'>; kernels: KernelsJudged },
): Promise<OptimiserPart> {
  const { spawner } = ports;
  const [store, changes] = [new OptimiserStore(db), new Changes()];
  const compile = (source: string, signal?: AbortSignal) => compileKernel(source, { spawner, signal });
  const runs = new OptimiserRuns({ ...door, store, changes, compile, task: () => kernelTask(kernels), log });
  await runs.open();
  onDrain(() => runs.close());
  onClose(() => runs.close());
  return { runs, results: new OptimiserResults({ store, changes, compile }) };
}

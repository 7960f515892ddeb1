import { randomBytes } from 'node:crypto';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { ProcessSpawner } from '../../../process/process-spawner.ts';
import { refused } from '../../../subnets/quasar/competition/client/competition-problems.ts';
import { baselineKernel } from '../../../subnets/quasar/kernels/baseline.ts';
import {
  checkKernel,
  type JudgeOptions,
  judgeKernel,
  type KernelVerdict,
} from '../../../subnets/quasar/kernels/judge-kernel.ts';

/** What judges the kernels of competitions, and reads the one that they begin with. */
export interface KernelJudge {
  judge: (artefact: Uint8Array, options: JudgeOptions) => Promise<KernelVerdict>;
  baseline: () => Promise<Uint8Array>;
  /** Looks whether a kernel is right, before it is submitted. @throws BAD_REQUEST why it is not */
  check: (artefact: Uint8Array, signal: AbortSignal) => Promise<void>;
}

/** @param spawner Electron’s; undefined: processes of Node, walled in */
export function kernelJudge(spawner: ProcessSpawner | undefined): KernelJudge {
  return {
    judge: (artefact, options) => judgeKernel(artefact, { ...options, spawner }),
    baseline: baselineKernel,
    async check(artefact, signal) {
      const seed = randomBytes(32).toString('hex');
      const checked = await checkKernel(artefact, { seed, signal, spawner });
      if (!checked.right) throw refused(say('competitor.wrong', { reason: checked.reason }), 'sha256');
    },
  };
}

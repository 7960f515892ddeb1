import { readFile } from 'node:fs/promises';
import { installedPath } from '../../base/installation.ts';
import type { JudgeOptions, KernelVerdict } from '../../subnets/quasar/kernels/judge-kernel.ts';
import type { KernelTask } from '../../subnets/quasar/optimiser/examine.ts';
import { SPECIFICATION } from '../../subnets/quasar/optimiser/specification.ts';

/** By what kernels are judged. */
export interface KernelsJudged {
  judge: (module: Uint8Array, options: JudgeOptions) => Promise<KernelVerdict>;
  baseline: () => Promise<Uint8Array>;
}

/** The kernel of competitions, with its judge. */
export async function kernelTask({ judge, baseline: read }: KernelsJudged): Promise<KernelTask> {
  const baseline = await read();
  return {
    specification: SPECIFICATION,
    baseline: await readFile(installedPath('resources', 'kernels', 'baseline.ts'), 'utf8'),
    examine: (module, how) => judge(module, { ...how, baseline }),
  };
}

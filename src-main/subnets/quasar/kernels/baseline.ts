import { readFile } from 'node:fs/promises';
import { installedPath } from '../../../base/installation.ts';

/** The kernel that others are compared with, as it comes with Quarry: what `resources/kernels/baseline.ts` compiles to. */
export function baselineKernel(): Promise<Uint8Array> {
  return readFile(installedPath('resources', 'kernels', 'baseline.wasm'));
}

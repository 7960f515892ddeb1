import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installedPath } from '../../base/installation.ts';

/** The folder of the built screens; undefined where they were not built. */
export function pagesFolder(): string | undefined {
  const folder = installedPath('out', 'renderer');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

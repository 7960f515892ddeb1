import { dataPath } from '../../../base/data-folder.ts';
import { openSandbox } from '../../../sandbox/open-sandbox.ts';
import type { ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import type { Core } from '../core.ts';

/** Runs programs of strangers, for whatever judges them. Nothing is started before the first one. */
export type SandboxPart = Pick<ProgramSandbox, 'run'>;

export function openSandboxPart({ config, ports, onClose }: Pick<Core, 'config' | 'ports' | 'onClose'>): SandboxPart {
  const { spawner } = ports;
  const sandbox = openSandbox(config.sandbox, { spawner, folder: dataPath(config.dataDir, 'sandbox') });
  onClose(() => sandbox.close());
  return sandbox;
}

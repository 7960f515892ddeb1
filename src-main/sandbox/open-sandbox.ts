import type { ProcessSpawner } from '../process/process-spawner.ts';
import { ContainerSandbox } from './container-sandbox.ts';
import type { ProgramSandbox } from './program-sandbox.ts';
import { PythonSandbox } from './python-sandbox.ts';

/** As the settings say. @param folder where it may keep what makes it start faster */
export function openSandbox(
  { engine, image }: { engine: 'pyodide' | 'docker' | 'podman'; image: string },
  { spawner, folder }: { spawner?: ProcessSpawner | undefined; folder: string },
): ProgramSandbox {
  return engine === 'pyodide' ? new PythonSandbox({ spawner, folder }) : new ContainerSandbox({ engine, image });
}

import { join } from 'node:path';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { runTool } from './tool.ts';

/** Who makes the environment: uv, which brings a Python where there is none; or a Python that is there, with its pip. */
export type Tool = { kind: 'uv'; path: string } | { kind: 'pip'; python: string };

/** Versions of Python that there are packages for (resources/trainer/requirements.txt). */
export const PYTHON_RANGE = '>=3.11,<3.15';
const [OLDEST, NEWEST] = [11, 14];

const PYTHONS: readonly string[] = process.platform === 'win32' ? ['python', 'py'] : ['python3', 'python'];

/**
 * @param folder of the environment: a uv may lie in it
 * @throws UNSUPPORTED where there is neither uv nor a Python of a version that would do
 */
export async function findTool(folder: string, signal?: AbortSignal, path?: string): Promise<Tool> {
  const more: Record<string, string> = path === undefined ? {} : { PATH: path };
  for (const uv of [join(folder, process.platform === 'win32' ? 'uv.exe' : 'uv'), 'uv']) {
    if ((await runTool(uv, ['--version'], { signal, more })).code === 0) return { kind: 'uv', path: uv };
  }
  for (const python of PYTHONS) {
    const asked = ['-I', '-c', 'import ensurepip, sys, venv; print(*sys.version_info[:2])'];
    const { code, stdout } = await runTool(python, asked, { signal, more });
    const [major, minor] = stdout.trim().split(' ').map(Number);
    if (code === 0 && major === 3 && minor !== undefined && minor >= OLDEST && minor <= NEWEST)
      return { kind: 'pip', python };
  }
  throw new QuarryError({
    code: 'UNSUPPORTED',
    message: say('torch.noTool', { oldest: `3.${OLDEST}`, newest: `3.${NEWEST}` }),
    hint: say('torch.installUv'),
  });
}

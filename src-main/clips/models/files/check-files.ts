import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { sha256OfFile } from '../../../base/sha256.ts';
import { type AnyClipModel, filesOf, type ModelFile } from './model-manifest.ts';
import { unknownWeights } from './weights-beside.ts';

/** Holds a model's files to their lengths and hashes, and to having no others beside them: to be done before one of them is loaded. @throws MODEL_INVALID */
export async function checkFiles({ folder, manifest }: AnyClipModel): Promise<void> {
  const files = filesOf(manifest);
  for (const file of files) {
    const unknown = await unlikeFile(folder, file, files).catch((error: unknown) => {
      throw otherFile(folder, file.path, error);
    });
    if (unknown !== undefined) throw otherFile(folder, unknown);
  }
}

/** @returns the path of what is not as it is described; undefined where all is. @throws what the file system throws */
async function unlikeFile(folder: string, file: ModelFile, all: readonly ModelFile[]): Promise<string | undefined> {
  const { path, sha256, bytes } = file;
  const { size } = await stat(join(folder, path));
  if (size !== (bytes ?? size) || (await sha256OfFile(join(folder, path))) !== sha256) return path;
  return await unknownWeights(folder, file, all);
}

/** Loads a model. @throws MODEL_INVALID with what the library says */
export async function loaded<Loaded>(model: AnyClipModel, load: () => Loaded | Promise<Loaded>): Promise<Loaded> {
  await checkFiles(model);
  try {
    return await load();
  } catch (error) {
    throw unusable(model, error);
  }
}

/** A model that is none, or another one than it says. */
export function unusable({ folder, manifest: { name } }: AnyClipModel, cause: unknown): QuarryError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new QuarryError(
    {
      code: 'MODEL_INVALID',
      message: say('clipModels.unusable', { name, folder, reason }),
      hint: say('clipModels.fetchAgain'),
    },
    { cause },
  );
}

function otherFile(folder: string, file: string, cause?: unknown): QuarryError {
  const message = say('clipModels.otherFile', { file, folder });
  return new QuarryError({ code: 'MODEL_INVALID', message, hint: say('clipModels.fetchAgain') }, { cause });
}

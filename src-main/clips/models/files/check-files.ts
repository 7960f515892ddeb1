import { join } from 'node:path';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { sha256OfFile } from '../../../base/sha256.ts';
import { type AnyClipModel, filesOf } from './model-manifest.ts';

/** Holds a model's files to their hashes: to be done before one of them is loaded. @throws MODEL_INVALID */
export async function checkFiles({ folder, manifest }: AnyClipModel): Promise<void> {
  for (const { path, sha256 } of filesOf(manifest)) {
    const found = await sha256OfFile(join(folder, path)).catch((error) => {
      throw otherFile(folder, path, error);
    });
    if (found !== sha256) throw otherFile(folder, path);
  }
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

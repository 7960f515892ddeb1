import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { MANIFEST_FILE, type ModelFile } from './model-manifest.ts';

/** Of a name on a disk, bytes. */
const MOST_NAME = 1_000;

/**
 * Files of weights that a model has beside it and that nothing was said of: they would be loaded unseen, and its vectors be others than those of the same name elsewhere.
 * An ONNX file names them (`TensorProto.external_data`) in one of many ways of writing the same, and the runtime loads none from outside the model's folder: so a file that lies there
 * is one of them where its name is found in the model's bytes, whatever stands around it.
 * @param known all that the model's description names
 * @returns the path of the first one in the model's folder; undefined for none
 */
export async function unknownWeights(
  folder: string,
  { path }: Pick<ModelFile, 'path'>,
  known: readonly Pick<ModelFile, 'path'>[],
): Promise<string | undefined> {
  if (!path.endsWith('.onnx')) return undefined;
  const there = await filesBeside(folder, path);
  const described = new Set([...known.map((one) => normalize(one.path)), MANIFEST_FILE]);
  const unknown = there.filter((one) => !described.has(one)).map((one) => ({ path: one, name: sought(basename(one)) }));
  if (unknown.length === 0) return undefined;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(join(folder, path), { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const text = sought(bytes);
    const found = unknown.find(({ name }) => text.includes(name));
    if (found) return found.path;
    rest = bytes.subarray(-MOST_NAME); // one may go on in the next piece
  }
  return undefined;
}

/** By their paths in the folder of all, links among them. */
async function filesBeside(folder: string, path: string): Promise<string[]> {
  const entries = await readdir(join(folder, dirname(path)), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/** Many disks do not tell capitals from small letters. */
const sought = (bytes: string | Buffer) =>
  Buffer.from(bytes as string)
    .toString('latin1')
    .toLowerCase();

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { ifMissing } from '../../../base/swallowed.ts';
import type { ModelFile } from './model-manifest.ts';

/** How ONNX says in which file a tensor's weights are (`TensorProto.external_data`): a pair of texts, the first of which is this key; after it come the second one's length and itself. */
const LOCATION = Buffer.from('\x0a\x08location\x12');
/** UTF-8, of a file's name. */
const MOST_NAME = 1_000;
/** Up to 127 bytes have a length of one byte, the others of two. */
const LENGTH_BYTES = 2;

/**
 * Files of weights that a model has beside it and that nothing was said of: they would be loaded unseen, and its vectors be others than those of the same name elsewhere.
 * @param known all that the model's description names
 * @returns the path of the first one in the model's folder; undefined for none
 */
export async function unknownWeights(
  folder: string,
  { path }: Pick<ModelFile, 'path'>,
  known: readonly Pick<ModelFile, 'path'>[],
): Promise<string | undefined> {
  if (!path.endsWith('.onnx')) return undefined;
  for (const name of await weightsOf(join(folder, path))) {
    const beside = normalize(join(dirname(path), name));
    // What is not there is not loaded either, and by chance any bytes may look like this.
    if (!known.some((one) => normalize(one.path) === beside) && (await stat(join(folder, beside)).catch(ifMissing)))
      return beside;
  }
  return undefined;
}

/** Names of files that an ONNX file wants beside it. */
async function weightsOf(path: string): Promise<Set<string>> {
  const names = new Set<string>();
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    for (let at = bytes.indexOf(LOCATION); at >= 0; at = bytes.indexOf(LOCATION, at + 1)) {
      const name = textAt(bytes, at + LOCATION.length);
      if (name !== undefined) names.add(name);
    }
    rest = bytes.subarray(-(LOCATION.length + LENGTH_BYTES + MOST_NAME)); // one may go on in the next piece
  }
  return names;
}

function textAt(bytes: Buffer, at: number): string | undefined {
  const [low = 0, high = 0] = [bytes[at], bytes[at + 1]];
  const isLong = low >= 0x80;
  const length = isLong ? (low & 0x7f) | (high << 7) : low;
  const begin = at + (isLong ? LENGTH_BYTES : 1);
  const isWhole = length > 0 && length <= MOST_NAME && begin + length <= bytes.length;
  return isWhole ? bytes.toString('utf8', begin, begin + length) : undefined;
}

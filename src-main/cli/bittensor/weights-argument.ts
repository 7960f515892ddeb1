import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { fileTrouble } from '../terminal/file-trouble.ts';

/** A weight of a neuron, in any scale. */
export interface NamedWeight {
  uid: number;
  weight: number;
}

const PAIR = /^(\d{1,5})=(\d+(?:\.\d*)?(?:e[+-]?\d+)?)$/i;
const FILE = z.record(z.string().regex(/^\d{1,5}$/), z.number().min(0));

/**
 * Weights as they are typed, `3=0.5`, or in a file of JSON, `{ "3": 0.5 }`.
 * @throws BAD_REQUEST with the field `weights` for anything else
 */
export async function readWeights(
  given: readonly string[],
  read: (path: string) => Promise<string>,
): Promise<NamedWeight[]> {
  const pairs = given.map((text) => PAIR.exec(text));
  if (pairs.every((pair) => pair !== null)) {
    return pairs.map(([, uid, weight]) => ({ uid: Number(uid), weight: Number(weight) }));
  }
  const [path = '', ...more] = given;
  if (more.length > 0) throw unreadable(`Neither weights nor one file: ${given.join(' ')}`);
  return Object.entries(parsed(path, await textOf(path, read))).map(([uid, weight]) => ({ uid: Number(uid), weight }));
}

async function textOf(path: string, read: (path: string) => Promise<string>): Promise<string> {
  try {
    return await read(path);
  } catch (error) {
    throw unreadable(path.includes('=') ? `«${path}» is no weight.` : fileTrouble(path, error as Error));
  }
}

function parsed(path: string, text: string): Record<string, number> {
  try {
    return FILE.parse(JSON.parse(text));
  } catch {
    throw unreadable(`«${path}» holds no weights.`);
  }
}

function unreadable(message: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message,
    hint: 'Write them as 3=0.5 7=1, or put { "3": 0.5, "7": 1 } into a file.',
    field: 'weights',
  });
}

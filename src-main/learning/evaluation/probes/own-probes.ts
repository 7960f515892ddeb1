import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../../src-preload/contract/saying.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { openRegular, readAtMost } from '../../../base/regular-file.ts';
import { factProbe } from './facts.ts';
import type { Probe } from './probe.ts';

const MOST_BYTES = 1_000_000;
const MOST_PROBES = 500;

const lineSchema = z.strictObject({
  question: z.string().min(1).max(2_000),
  right: z
    .array(
      z
        .string()
        .min(1)
        .max(200)
        .regex(/[\p{L}\p{N}]/u),
    )
    .min(1)
    .max(20),
});

/**
 * Own probes out of a file, one a line: `{"question": "Who founded our club?", "right": ["Ada Lovelace", "Lovelace"]}`. Empty lines are passed over.
 * @throws BAD_REQUEST with the line at fault, or with what the system says of a file that cannot be read
 */
export async function readOwnProbes(path: string): Promise<Probe[]> {
  const text = await textOf(path);
  const lines = text.split('\n').map((line, at) => ({ line: line.trim(), at: at + 1 }));
  const probes = lines
    .filter(({ line }) => line !== '')
    .map(({ line, at }) => {
      const parsed = lineSchema.safeParse(parsedJson(line));
      if (parsed.success) return factProbe(parsed.data.question, parsed.data.right, 'own');
      throw fault(say('evaluation.probes.line', { line: String(at) }));
    });
  if (probes.length > MOST_PROBES) throw fault(say('evaluation.probes.many', { most: MOST_PROBES }));
  if (new Set(probes.map(({ id }) => id)).size < probes.length) throw fault(say('evaluation.probes.twice'));
  return probes;
}

async function textOf(path: string): Promise<string> {
  await using file = await opened(path);
  const text = await readAtMost(file, MOST_BYTES);
  if (text === undefined) throw fault(say('evaluation.probes.large', { most: MOST_BYTES }));
  return text;
}

async function opened(path: string): Promise<FileHandle> {
  const unreadable = (system: Words) => fault(say('evaluation.probes.unreadable', { system }));
  const file = await openRegular(path).catch((error: Error) => {
    throw unreadable(error.message);
  });
  if (!file) throw unreadable(say('evaluation.probes.noFile'));
  return file;
}

function fault(message: ReturnType<typeof say>): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, hint: say('evaluation.probes.hint'), field: 'probes' });
}

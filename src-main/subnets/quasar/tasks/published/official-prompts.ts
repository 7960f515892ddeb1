import { join } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { parsedJson } from '../../../../base/json-text.ts';
import { openRegular } from '../../../../base/regular-file.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { ifMissing } from '../../../../base/swallowed.ts';
import { isTemplate, type Template } from './longbench-templates.ts';

/** The benchmark's own templates and limits of answers: parts of its definition, which are not copied into Quarry. */
export const PROMPTS_FILE = 'dataset2prompt.json';
export const LIMITS_FILE = 'dataset2maxlen.json';

/** Of either file; they have 5 kB and less. */
const MOST_BYTES = 256 << 10;
const MOST_TEMPLATE = 20_000;
const MOST_ANSWER = 8_192;

const prompts = z.record(z.string().max(100), z.string().max(MOST_TEMPLATE).refine(isTemplate));
const limits = z.record(z.string().max(100), z.int().min(1).max(MOST_ANSWER));

/** What the benchmark prescribes, as far as its files are there. */
export interface OfficialPrompts {
  templates: ReadonlyMap<string, Template>;
  answerTokens: ReadonlyMap<string, number>;
  /** Another one for other contents; empty where there is none. */
  digest: string;
}

/** @param folder where the data is @throws BAD_REQUEST for a file that is there and says something else */
export async function officialPrompts(folder: string): Promise<OfficialPrompts> {
  const [told, most] = [await readJson(join(folder, PROMPTS_FILE)), await readJson(join(folder, LIMITS_FILE))];
  return {
    templates: told ? mapOf(prompts, told) : new Map(),
    answerTokens: most ? mapOf(limits, most) : new Map(),
    digest: [told, most].map((file) => file?.digest ?? '').join(''),
  };
}

interface JsonFile {
  path: string;
  digest: string;
  value: unknown;
}

async function readJson(path: string): Promise<JsonFile | undefined> {
  const file = await openRegular(path).catch(ifMissing);
  if (!file) return undefined;
  try {
    if ((await file.stat()).size > MOST_BYTES) throw unusable(path);
    const bytes = await file.readFile();
    return { path, digest: sha256(bytes).toString('hex', 0, 4), value: parsedJson(bytes.toString('utf8')) };
  } finally {
    await file.close();
  }
}

function mapOf<Value>(shape: z.ZodType<Record<string, Value>>, { path, value }: JsonFile): Map<string, Value> {
  const { data, success } = shape.safeParse(value);
  if (!success) throw unusable(path);
  return new Map(Object.entries(data));
}

function unusable(path: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('contextFiles.noPrompts', { path }),
    hint: say('contextFiles.noPrompts.hint'),
    field: 'path',
  });
}

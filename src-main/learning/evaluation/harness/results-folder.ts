import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { writeAtomically } from '../../../base/atomic-file.ts';
import { makeFolder } from '../../../base/folder.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { openRegular, readAtMost } from '../../../base/regular-file.ts';
import { ifMissing } from '../../../base/swallowed.ts';
import { type StepRecord, stepRecord } from './records.ts';
import { yamlText } from './yaml-text.ts';

const STEPS = 'steps.jsonl';
const LINE_BEGINS = '{"preference":';
/** Larger than any that we write: a step has a few kB. */
const MOST_BYTES = 64_000_000;

/**
 * The files of one preference, as the original has them: `metadata.json`, `baseline.json`, `steps.jsonl`, `summary.json`, the last also as YAML. Killed
 * at any moment, it holds whole steps: a line that was cut off is taken away when it is read again.
 */
export class ResultsFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** @returns undefined where there is none @throws BAD_REQUEST for a file that is not of that shape */
  async read<Value>(name: string, schema: z.ZodType<Value>): Promise<Value | undefined> {
    const text = await this.#text(name);
    if (text === undefined) return undefined;
    const parsed = schema.safeParse(parsedJson(text));
    if (parsed.success) return parsed.data;
    throw foreign(name);
  }

  /** Writes a file whole or not at all. */
  async write(name: string, value: unknown): Promise<void> {
    await makeFolder(this.path);
    await writeAtomically(join(this.path, name), `${JSON.stringify(value, null, 2)}\n`);
  }

  /**
   * Begins, or goes on with, results of these settings. Only how many steps there are to be may differ.
   * @throws BAD_REQUEST where the folder has results of others
   */
  async sameSettings(metadata: { config: { steps: number } }): Promise<void> {
    const known = await this.read('metadata.json', z.looseObject({ config: z.looseObject({}) }));
    const apart = (value: { config: object }) => ({ ...value, config: { ...value.config, steps: 0 } });
    if (known && !isDeepStrictEqual(apart(known), apart(JSON.parse(JSON.stringify(metadata))))) {
      throw otherSettings();
    }
    await this.write('metadata.json', metadata);
  }

  async writeText(name: string, content: string | Uint8Array): Promise<void> {
    await makeFolder(this.path);
    await writeAtomically(join(this.path, name), content);
  }

  async writeYaml(name: string, value: unknown): Promise<void> {
    await this.writeText(name, yamlText(value));
  }

  /** The steps that are on the disk, in their order. @throws BAD_REQUEST where a line is another's, or one is missing */
  async steps(): Promise<StepRecord[]> {
    const text = (await this.#text(STEPS)) ?? '';
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = whole.split('\n').filter((line) => line !== '');
    const steps = lines.map((line, at) => {
      const parsed = stepRecord.safeParse(parsedJson(line));
      if (!parsed.success || parsed.data.step !== at) throw foreign(STEPS);
      return parsed.data;
    });
    if (whole.length === text.length) return steps;
    if (!isBegunStep(text.slice(whole.length))) throw foreign(STEPS);
    await truncate(join(this.path, STEPS), Buffer.byteLength(whole));
    return steps;
  }

  /** Appends a step; it is on the disk when this resolves. */
  async append(step: StepRecord): Promise<void> {
    await makeFolder(this.path);
    await using file = await open(join(this.path, STEPS), 'a');
    await file.writeFile(`${JSON.stringify(step)}\n`);
    await file.sync();
  }

  /** The folder may be anybody's. @returns undefined where there is none @throws BAD_REQUEST for a pipe and the like, and for more than there may be */
  async #text(name: string): Promise<string | undefined> {
    try {
      await using file = await openRegular(join(this.path, name));
      const text = file && (await readAtMost(file, MOST_BYTES));
      if (text === undefined) throw foreign(name);
      return text;
    } catch (error) {
      return ifMissing(error);
    }
  }
}

/** Whether it may be the beginning of a line of ours, with what a power cut left behind it: of another's file nothing is taken away. */
function isBegunStep(line: string): boolean {
  const [begun = ''] = line.split('\0', 1);
  return begun.startsWith(LINE_BEGINS.slice(0, begun.length));
}

/** Of results that were begun otherwise. */
export function otherSettings(): QuarryError {
  const message = say('evaluation.results.otherSettings');
  return new QuarryError({ code: 'BAD_REQUEST', message, hint: say('evaluation.results.hint') });
}

function foreign(file: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('evaluation.results.foreign', { file }),
    hint: say('evaluation.results.hint'),
  });
}

import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { nodeIdSchema, sha256Schema } from '../../../src-preload/contract/keys.ts';
import { adapterNameSchema } from '../../../src-preload/contract/learning.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import { isModelName } from '../model-name.ts';
import type { WantedModel } from '../wanted-model.ts';
import { fromNewerVersion } from './download-problems.ts';

/** A state file of all that is allowed stays far below this. */
const MAX_BYTES = 1 << 20;
const MAX_RANGES = 4_096;

const bytesSchema = z.int().min(0);
const rangeSchema = z.object({ start: bytesSchema, end: bytesSchema });

const wantedSchema = z.object({
  name: z.string().refine(isModelName),
  urls: z.array(z.url({ protocol: /^https?$/ }).max(4_096)).max(64),
  typed: z.boolean().optional(),
  bytes: bytesSchema.optional(),
  sha256: sha256Schema.optional(),
  pin: z.boolean().optional(),
  licence: z.string().max(200).optional(),
  adapter: z.object({ name: adapterNameSchema, base: sha256Schema, from: nodeIdSchema }).optional(),
}) satisfies z.ZodType<WantedModel>;

/** Which kinds of sources a download may use. */
const SOURCE_CHOICES = ['anywhere', 'http', 'peers'] as const;
export type SourceChoice = (typeof SOURCE_CHOICES)[number];

const stateSchema = z
  .object({
    version: z.literal(1),
    wanted: wantedSchema,
    from: z.enum(SOURCE_CHOICES),
    /** Length of the file; null until a source said it. */
    bytes: bytesSchema.nullable(),
    /** Names of the sources whose bytes are in the file, each with its validator, if it has one. */
    givers: z.record(z.string().max(300), z.string().max(1_024).nullable()),
    /** What is on the disk for certain. */
    done: z.array(rangeSchema).max(MAX_RANGES),
    /** Whether a person stopped it. */
    paused: z.boolean(),
    /** Milliseconds since 1970. */
    begunAt: z.number(),
  })
  .refine(({ done, bytes }) => isInOrder(done) && (done.at(-1)?.end ?? 0) <= (bytes ?? Number.MAX_SAFE_INTEGER));
export type DownloadState = z.infer<typeof stateSchema>;

const newerSchema = z.object({ version: z.int().min(2) });

/**
 * What a state file says; undefined when it is not there, torn or garbled.
 * @throws DOWNLOAD_FAILED when a newer Quarry wrote it; what reading threw
 */
export async function readState(path: string): Promise<DownloadState | undefined> {
  const json = parseJson(await readBounded(path));
  if (newerSchema.safeParse(json).success) throw fromNewerVersion();
  return stateSchema.safeParse(json).data;
}

/** Durable when it returns. */
async function writeState(path: string, state: DownloadState): Promise<void> {
  await writeAtomically(path, JSON.stringify(state));
}

/** Its beginning, where it is too long; nothing where there is no file. */
async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r').catch(ifMissing);
  if (!file) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // torn or garbled
  }
}

function isInOrder(ranges: readonly { start: number; end: number }[]): boolean {
  return ranges.every(({ start, end }, index) => start < end && start > (ranges[index - 1]?.end ?? -1));
}

const ENDING = '.download.json';

/** The download that a state file belongs to: `qwen` of `qwen.download.json`. */
export function downloadOfFile(file: string): string | undefined {
  return file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : undefined;
}

/** Where the state of a download is. */
export function recordPath(folder: string, name: string): string {
  return join(folder, name + ENDING);
}

/** Whether a file was on its way to be a state file. */
export function isUnfinishedState(file: string): boolean {
  return file.includes(`${ENDING}.`);
}

/** What is known of a download, kept in `NAME.download.json`. */
export class DownloadRecord {
  readonly #path: string;
  #state: DownloadState;
  readonly #saves = new Turns();

  private constructor(path: string, state: DownloadState) {
    this.#path = path;
    this.#state = state;
  }

  /** One that is on the disk after its first `change` only. */
  static begin(folder: string, wanted: WantedModel, from: SourceChoice): DownloadRecord {
    const { name, urls, typed, bytes, sha256, licence, pin, adapter } = wanted;
    return new DownloadRecord(recordPath(folder, name), {
      version: 1,
      wanted: { name, urls, typed, bytes, sha256, licence, pin, adapter },
      from,
      bytes: bytes ?? null,
      givers: {},
      done: [],
      paused: false,
      begunAt: Date.now(),
    });
  }

  /**
   * Undefined when there is none that can be trusted; what is left of it is deleted.
   * @throws what reading threw: then nothing is deleted
   */
  static async load(folder: string, name: string): Promise<DownloadRecord | undefined> {
    const path = recordPath(folder, name);
    const state = await readState(path);
    if (state?.wanted.name === name) return new DownloadRecord(path, state);
    await rm(path, { force: true });
    return undefined;
  }

  get state(): Readonly<DownloadState> {
    return this.#state;
  }

  /** Durable when it returns. */
  async change(change: Partial<DownloadState>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    await this.#saves.take(() => writeState(this.#path, this.#state));
  }

  async remove(): Promise<void> {
    await this.#saves.ended();
    await rm(this.#path, { force: true });
  }
}

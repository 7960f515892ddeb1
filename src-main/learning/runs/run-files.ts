import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { removeLeftovers, writeAtomically } from '../../base/atomic-file.ts';
import { parsedJson } from '../../base/json-text.ts';
import { ifMissing } from '../../base/swallowed.ts';

const STEP = /^step-(\d{1,6})$/;
const RUN = /^([0-9a-f]{16})(?:\.[0-9a-f]{12}\.tmp)?$/;
/** As trainers call what is not whole yet. */
const UNFINISHED = /^step-\d{1,6}\.[0-9a-f]+\.tmp$/;

/** A piece of a run's work is there and is not what was written: the disk, or somebody, has changed it. */
export class DamagedPiece extends QuarryError {
  constructor(name: string, cause?: unknown) {
    const [message, hint] = [say('learning.damagedPiece', { name }), say('learning.damagedPiece.hint')];
    super({ code: 'INTERNAL', message, hint }, { cause });
  }
}

/** A piece of a run's work, as it is kept in a file. */
export interface PieceForm<Piece> {
  /** Name of the file. */
  file: string;
  write(piece: Piece): Promise<string | Uint8Array>;
  /** @throws for what was not written so */
  read(bytes: Buffer): Promise<Piece>;
}

/** A piece as JSON, for what is small. @param schema what is read again has to fit it */
export function jsonPiece<Piece>(name: string, schema: z.ZodType<Piece>): PieceForm<Piece> {
  return {
    file: `${name}.json`,
    write: async (piece) => JSON.stringify(piece),
    read: async (bytes) => schema.parse(parsedJson(bytes.toString())),
  };
}

/**
 * What a run keeps on the disk until it ends: pieces of its work, and what the trainer saved, by steps. Each is there whole or not at all, so that a run
 * goes on where it was killed.
 */
export class RunFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Deletes what a kill left of files that were being written. Before the first of them is written. */
  async open(): Promise<void> {
    await removeLeftovers(this.#folder, () => true);
  }

  /** A piece of work: what came of it is read where it is there, and made and written where it is not. @throws as {@link read} does */
  async once<Piece>(form: PieceForm<Piece>, make: () => Promise<Piece>): Promise<Piece> {
    const kept = await this.read(form);
    if (kept !== undefined) return kept;
    const made = await make();
    await this.write(form, made);
    return made;
  }

  /** @returns undefined where it is not there @throws DamagedPiece; what keeps it from being read */
  async read<Piece>({ file, read }: PieceForm<Piece>): Promise<Piece | undefined> {
    const bytes = await readFile(join(this.#folder, file)).catch(ifMissing);
    if (bytes === undefined) return undefined;
    return await read(bytes).catch((cause: unknown) => {
      throw new DamagedPiece(file, cause);
    });
  }

  async write<Piece>({ file, write }: PieceForm<Piece>, piece: Piece): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await writeAtomically(join(this.#folder, file), await write(piece));
  }

  /** Where a trainer saves after a step. @param strength below 1: where a weaker form of that is kept */
  step(step: number, strength = 1): string {
    return join(this.#folder, `step-${step}${strength < 1 ? `-${Math.round(100 * strength)}` : ''}`);
  }

  /** The last step that was saved; 0 where there is none. */
  async lastStep(): Promise<number> {
    return Math.max(0, ...(await this.#steps()));
  }

  /** With its weaker forms. */
  async removeStep(step: number): Promise<void> {
    const names = (await readdir(this.#folder).catch(ifMissing)) ?? [];
    const weaker = names.filter((name) => name.startsWith(`step-${step}-`));
    for (const name of [`step-${step}`, ...weaker])
      await rm(join(this.#folder, name), { recursive: true, force: true });
  }

  /** Leaves of the steps only the last ones. @param keep how many of them */
  async thin(keep: number): Promise<void> {
    const steps = (await this.#steps()).sort((one, other) => one - other);
    for (const step of steps.slice(0, -keep)) await this.removeStep(step);
  }

  /** Forgets all steps beyond one, and what a trainer that was killed had begun to save. */
  async forgetBeyond(last: number): Promise<void> {
    const names = (await readdir(this.#folder).catch(ifMissing)) ?? [];
    for (const name of names.filter((each) => UNFINISHED.test(each) || Number(STEP.exec(each)?.[1] ?? 0) > last)) {
      await rm(join(this.#folder, name), { recursive: true });
    }
  }

  /** Nothing is kept of a run that has ended. Away from its place first: a kill leaves all of it there, or nothing. Idempotent. */
  async remove(): Promise<void> {
    const gone = `${this.#folder}.${randomBytes(6).toString('hex')}.tmp`;
    const moved = await rename(this.#folder, gone).then(() => true, ifMissing);
    if (moved) await rm(gone, { recursive: true, force: true, maxRetries: 3 });
  }

  async #steps(): Promise<number[]> {
    const names = (await readdir(this.#folder).catch(ifMissing)) ?? [];
    return names.flatMap((name) => {
      const [, step] = STEP.exec(name) ?? [];
      return step === undefined ? [] : [Number(step)];
    });
  }
}

/** Deletes what a kill has left of runs. @param folder of all runs @param going ids of those that have not ended */
export async function sweepRuns(folder: string, going: ReadonlySet<string>): Promise<void> {
  for (const name of (await readdir(folder).catch(ifMissing)) ?? []) {
    const [whole, id] = RUN.exec(name) ?? [];
    if (id === undefined || (whole === id && going.has(id))) continue;
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

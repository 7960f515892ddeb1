import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeLeftovers, writeAtomically } from '../../base/atomic-file.ts';
import { ifMissing } from '../../base/swallowed.ts';

const STEP = /^step-(\d{1,6})$/;
const RUN = /^([0-9a-f]{16})(?:\.[0-9a-f]{12}\.tmp)?$/;

/**
 * What a run keeps on the disk until it ends: pieces of its work as JSON, and what the trainer saved, by steps. Each is there whole or not at all, so that a run
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

  /** A piece of work: what came of it is read where it is there, and made and written where it is not. */
  async once<Piece>(name: string, make: () => Promise<Piece>): Promise<Piece> {
    const path = join(this.#folder, `${name}.json`);
    const kept = await readFile(path, 'utf8').catch(ifMissing);
    if (kept !== undefined) return JSON.parse(kept) as Piece; // written by this program, whole
    const made = await make();
    await mkdir(this.#folder, { recursive: true });
    await writeAtomically(path, JSON.stringify(made));
    return made;
  }

  /** Where a trainer saves after a step. */
  step(step: number): string {
    return join(this.#folder, `step-${step}`);
  }

  /** The last step that was saved; 0 where there is none. */
  async lastStep(): Promise<number> {
    return Math.max(0, ...(await this.#steps()));
  }

  /** Leaves of the steps only the last. */
  async thin(): Promise<void> {
    const steps = await this.#steps();
    const last = Math.max(...steps);
    for (const step of steps) if (step !== last) await rm(this.step(step), { recursive: true });
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

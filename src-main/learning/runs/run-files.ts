import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { ifMissing } from '../../base/swallowed.ts';

const STEP = /^step-(\d{1,6})$/;
/** As trainers call what is not whole yet. */
const UNFINISHED = /^step-\d{1,6}\.[0-9a-f]+\.tmp$/;

/**
 * What a run keeps on the disk until it ends: pieces of its work as JSON, and what the trainer saved, by steps. Each is there whole or not at all, so that a run
 * goes on where it was killed.
 */
export class RunFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
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

  /** Leaves of the steps only the last ones. @param keep how many of them */
  async thin(keep = 1): Promise<void> {
    const steps = (await this.#steps()).sort((one, other) => one - other);
    for (const step of steps.slice(0, -keep)) await rm(this.step(step), { recursive: true });
  }

  /** Forgets all steps beyond one, and what a trainer that was killed had begun to save. */
  async forgetBeyond(last: number): Promise<void> {
    const names = (await readdir(this.#folder).catch(ifMissing)) ?? [];
    for (const name of names.filter((each) => UNFINISHED.test(each) || Number(STEP.exec(each)?.[1] ?? 0) > last)) {
      await rm(join(this.#folder, name), { recursive: true });
    }
  }

  /** Nothing is kept of a run that has ended. Idempotent. */
  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #steps(): Promise<number[]> {
    const names = (await readdir(this.#folder).catch(ifMissing)) ?? [];
    return names.flatMap((name) => {
      const [, step] = STEP.exec(name) ?? [];
      return step === undefined ? [] : [Number(step)];
    });
  }
}

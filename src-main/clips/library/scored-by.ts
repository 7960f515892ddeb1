import { readFile } from 'node:fs/promises';
import { writeAtomically } from '../../base/atomic-file.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import type { SpaceThresholds } from '../models/space-thresholds.ts';

export interface ScoredByOptions {
  /** In which it is kept by which thresholds clips were scored. */
  file: string;
  /** Of the models that are in use; null where nobody has measured them. */
  thresholds: () => SpaceThresholds | null;
  /** Has all clips scored anew. @throws where it comes to no end */
  scoreAnew: () => Promise<void>;
}

/** By which thresholds clips were scored: where they are others by now, also after a kill amid that, all are scored anew. */
export class ScoredBy {
  readonly #options: ScoredByOptions;
  readonly #turns = new Turns();

  constructor(options: ScoredByOptions) {
    this.#options = options;
  }

  /** To be called whenever they may be others. @throws what the disk or the database throws */
  async look(): Promise<void> {
    await this.#turns.take(async () => {
      const { file, thresholds, scoreAnew } = this.#options;
      const now = JSON.stringify(thresholds());
      if ((await readFile(file, 'utf8').catch(ifMissing)) === now) return;
      await scoreAnew();
      await writeAtomically(file, now);
    });
  }

  /** Resolves when nothing of it goes on. */
  async close(): Promise<void> {
    await this.#turns.ended();
  }
}

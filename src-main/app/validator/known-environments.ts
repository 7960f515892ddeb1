import type { ProgramSandbox } from '../../sandbox/program-sandbox.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import { affineDatasetKinds, datasetEnvironments } from '../../subnets/affine/datasets.ts';
import { affineEnvironments } from '../../subnets/affine/environments.ts';
import type { DatasetKind } from '../../validation/datasets/dataset-kind.ts';
import type { Environment } from '../../validation/environment.ts';

/** Environments, by name. */
export type Known = ReadonlyMap<string, Environment>;

/** What may be asked: what Quarry makes itself, and what there is of data sets. */
export class KnownEnvironments {
  /** What is asked where nothing is named. */
  readonly usual: Known;
  /** What rows of data sets may be. */
  readonly kinds: ReadonlyMap<string, DatasetKind>;
  readonly #opened: () => Promise<Pick<ResultsDb, 'datasets'>>;
  #all: Known;

  /** @param opened the database, which is opened only for whoever asks for data sets */
  constructor(sandbox: Pick<ProgramSandbox, 'run'>, opened: () => Promise<Pick<ResultsDb, 'datasets'>>) {
    this.usual = affineEnvironments(sandbox);
    this.kinds = affineDatasetKinds(sandbox);
    this.#all = this.usual;
    this.#opened = opened;
  }

  /** All of them, as they were when they were looked at last. */
  get all(): Known {
    return this.#all;
  }

  /** Looks again where one of these is none of the usual ones; a data set may have come in meanwhile, also from another node. */
  async lookFor(names: readonly string[] | undefined): Promise<this> {
    if (names?.some((name) => !this.usual.has(name.toLowerCase()))) await this.look();
    return this;
  }

  /** Looks which data sets there are. @throws what the database throws */
  async look(): Promise<Known> {
    const { datasets } = await this.#opened();
    const read = async (dataset: number, index: number) => {
      const row = await datasets.row(dataset, index);
      if (row === undefined) await this.look(); // it was replaced, and whoever asks next finds the new one
      return row;
    };
    this.#all = new Map([...this.usual, ...datasetEnvironments(await datasets.list(), this.kinds, read)]);
    return this.#all;
  }
}

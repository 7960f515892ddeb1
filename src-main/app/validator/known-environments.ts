import type { ProgramSandbox } from '../../sandbox/program-sandbox.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import { affineDatasetKinds, datasetEnvironments } from '../../subnets/affine/datasets.ts';
import { affineEnvironments } from '../../subnets/affine/environments.ts';
import { longContextEnvironments } from '../../subnets/quasar/asking/long-context.ts';
import { codeEnvironment } from '../../subnets/quasar/code/code-environment.ts';
import type { ReferenceSource } from '../../subnets/quasar/verification/inference-environment.ts';
import { inferenceEnvironment } from '../../subnets/quasar/verification/inference-environment.ts';
import type { DatasetKind } from '../../validation/datasets/dataset-kind.ts';
import type { Environment } from '../../validation/environment.ts';

/** Environments, by name. */
export type Known = ReadonlyMap<string, Environment>;

/** What may be asked: what Quarry makes itself, for miners of one subnet or another, and what there is of data sets. */
export class KnownEnvironments {
  /** What is asked where nothing is named: what Affine asks. */
  readonly usual: Known;
  /** All that needs no data set. */
  readonly #made: Known;
  /** What rows of data sets may be. */
  readonly kinds: ReadonlyMap<string, DatasetKind>;
  readonly #opened: () => Promise<Pick<ResultsDb, 'datasets'>>;
  #all: Known;

  /**
   * @param opened the database, which is opened only for whoever asks for data sets
   * @param reference the model that answers of others are compared with
   * @param ofOmega what miners are asked for clips and sounds by; without what these are judged with there is none
   */
  constructor(
    sandbox: Pick<ProgramSandbox, 'run'>,
    opened: () => Promise<Pick<ResultsDb, 'datasets'>>,
    reference: ReferenceSource,
    ofOmega: readonly Environment[] = [],
  ) {
    this.usual = affineEnvironments(sandbox);
    this.kinds = affineDatasetKinds(sandbox);
    const inference = inferenceEnvironment(reference) as Environment;
    const code = codeEnvironment(sandbox) as Environment;
    const others = [inference, code, ...ofOmega].map((one) => [one.name, one] as const);
    this.#made = new Map([...this.usual, ...longContextEnvironments(), ...others]);
    this.#all = this.#made;
    this.#opened = opened;
  }

  /** All of them, as they were when they were looked at last. */
  get all(): Known {
    return this.#all;
  }

  /** Looks again where one of these is not made here; a data set may have come in meanwhile, also from another node. */
  async lookFor(names: readonly string[] | undefined): Promise<this> {
    if (names?.some((name) => !this.#made.has(name.toLowerCase()))) await this.look();
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
    this.#all = new Map([...this.#made, ...datasetEnvironments(await datasets.list(), this.kinds, read)]);
    return this.#all;
  }
}

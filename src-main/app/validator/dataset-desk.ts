import type { DatasetImportEvent, DatasetImportRequest, DatasetView } from '../../../src-preload/contract/datasets.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import type { Dataset, StoredDatasets } from '../../store/results/stored-datasets.ts';
import type { DatasetKind } from '../../validation/datasets/dataset-kind.ts';
import { importDataset } from '../../validation/datasets/import-dataset.ts';
import { rowFile } from '../../validation/datasets/row-file.ts';
import { rowServer } from './row-server.ts';

interface DatasetDeskOptions {
  stored: () => Promise<StoredDatasets>;
  kinds: ReadonlyMap<string, DatasetKind>;
  /** Where rows are fetched unless somebody says otherwise. */
  endpoint: () => string;
  /** After one came or went. */
  onChange: () => Promise<unknown>;
}

/** Data sets, as whoever asks this node sees them. */
export class DatasetDesk {
  readonly #options: DatasetDeskOptions;

  constructor(options: DatasetDeskOptions) {
    this.#options = options;
  }

  async list(): Promise<DatasetView[]> {
    return (await (await this.#options.stored()).list()).map(view);
  }

  /** @throws BAD_REQUEST for rows that are none; what their source throws; CANCELLED */
  async *import(
    { name, kind, from, rows: mostRows, skipBad, licence }: DatasetImportRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<DatasetImportEvent, void, undefined> {
    const { stored, kinds, endpoint, onChange } = this.#options;
    const into = await stored();
    const source = from.type === 'file' ? rowFile(from.path) : rowServer(from, endpoint());
    const wanted = { name, kind: kinds.get(kind) as DatasetKind, source, into, mostRows, skipBad, licence, signal };
    const { dataset, skipped, faults } = yield* importDataset(wanted);
    await onChange();
    yield { type: 'done', dataset: view(dataset), skipped, faults: faults.map((text) => told({ text })) };
  }

  /** @throws BAD_REQUEST where there is none of this name */
  async remove(name: string): Promise<void> {
    const stored = await this.#options.stored();
    if (await stored.remove(name, Date.now())) return void (await this.#options.onChange());
    const names = (await stored.list()).map((one) => one.name);
    const hint = names.length > 0 ? say('datasets.these', { names }) : say('datasets.noneYet');
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('datasets.none', { name }), hint, field: 'name' });
  }
}

function view({ id: _, ...dataset }: Dataset): DatasetView {
  return dataset;
}

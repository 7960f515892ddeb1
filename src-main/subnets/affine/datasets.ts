import type { ProgramSandbox } from '../../sandbox/program-sandbox.ts';
import type { Dataset } from '../../store/results/stored-datasets.ts';
import { type DatasetKind, datasetEnvironment, type ReadRow } from '../../validation/datasets/dataset-kind.ts';
import type { Environment } from '../../validation/environment.ts';
import { abdRows } from './abd/abd-rows.ts';
import { dedRows } from './ded/ded-rows.ts';
import { elrRows } from './elr/elr-rows.ts';

/** What rows of data sets may be, by name. @param sandbox for programs */
export function affineDatasetKinds(sandbox: Pick<ProgramSandbox, 'run'>): ReadonlyMap<string, DatasetKind> {
  const all = [abdRows(sandbox), dedRows(sandbox), elrRows];
  return new Map(all.map((kind) => [kind.name, kind as DatasetKind]));
}

/** What there is to be asked out of data sets, by name: `elr:NAME`. Those of a kind that is not known here are left out. */
export function datasetEnvironments(
  datasets: readonly Dataset[],
  kinds: ReadonlyMap<string, DatasetKind>,
  read: ReadRow,
): Map<string, Environment> {
  const all = datasets.flatMap((set) => {
    const kind = kinds.get(set.kind);
    return kind ? [datasetEnvironment(set, kind, read)] : [];
  });
  return new Map(all.map((environment) => [environment.name, environment]));
}

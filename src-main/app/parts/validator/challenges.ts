import type { EnvironmentView } from '../../../../src-preload/contract/validator.ts';
import type { Environment } from '../../../validation/environment.ts';
import { DatasetDesk } from '../../validator/dataset-desk.ts';
import { KnownEnvironments } from '../../validator/known-environments.ts';
import { ReferenceModel, type ReferenceModelNeeds } from '../../validator/reference-model.ts';
import type { Core } from '../core.ts';
import type { ResultsPart } from './results.ts';
import type { SandboxPart } from './sandbox.ts';

/** What may be asked, of all subnets, and the data sets that some of it is made of. */
export interface ChallengesPart {
  readonly known: KnownEnvironments;
  readonly datasets: DatasetDesk;
  environments(): Promise<EnvironmentView[]>;
}

interface ChallengesNeeds extends ReferenceModelNeeds {
  results: ResultsPart;
  sandbox: SandboxPart;
  /** What miners are asked for clips and sounds by. Default: nothing */
  ofOmega?: readonly Environment[];
}

export function openChallenges(
  { settings, log }: Pick<Core, 'settings' | 'log'>,
  { results, sandbox, ofOmega = [], ...own }: ChallengesNeeds,
): ChallengesPart {
  const followed = settings.follow('validator');
  const known = new KnownEnvironments(sandbox, results.opened, new ReferenceModel(own), ofOmega);
  followed.whenSet(({ environments }) => {
    known.lookFor(environments).catch((err: unknown) => log.warn({ err }, 'which data sets there are is not known'));
  });
  const datasets = new DatasetDesk({
    stored: async () => (await results.opened()).datasets,
    kinds: known.kinds,
    endpoint: () => followed.now.datasetServer,
    onChange: () => known.look(),
  });
  const environments = async () =>
    [...(await known.look()).values()].map(({ name, version, levels }) => ({
      ...{ name, version, levels: [...levels] },
      isUsual: known.usual.has(name),
    }));
  return { known, datasets, environments };
}

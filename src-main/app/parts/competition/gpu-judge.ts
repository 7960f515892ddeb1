import { say } from '../../../../src-preload/contract/saying.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { refused } from '../../../subnets/quasar/competition/client/competition-problems.ts';
import type { Closed } from '../../../subnets/quasar/competition/rules/tracks.ts';
import type { Judge, Track } from '../../../subnets/quasar/competition/rules/verdict.ts';
import { REFERENCE, repositoryOf } from '../../../subnets/quasar/gpu/artefact.ts';
import { judgeRepository } from '../../../subnets/quasar/gpu/judge-repository.ts';
import { KeptTrees } from '../../../subnets/quasar/gpu/kept-trees.ts';
import { lookForCard } from '../../../subnets/quasar/gpu/look.ts';
import type { Core } from '../core.ts';

/** What judges repositories on a graphics card. */
export interface GpuJudge {
  judge: Judge;
  /** Why it cannot; undefined where it can. */
  closed: () => Promise<Closed | undefined>;
  /** What its track begins with. */
  baseline: Uint8Array;
  /** @throws BAD_REQUEST for what names no repository: more is not looked at before it is submitted */
  check: (artefact: Uint8Array) => void;
}

export function gpuJudge({ config }: Pick<Core, 'config'>): GpuJudge {
  const trees = new KeptTrees(dataPath(config.dataDir, 'gpuRepositories'));
  return {
    judge: (artefact, options) => judgeRepository(artefact, { ...options, trees }),
    async closed() {
      const looked = await lookForCard();
      return 'closed' in looked ? looked.closed : undefined;
    },
    baseline: REFERENCE,
    check(artefact) {
      if (!repositoryOf(artefact)) throw refused(say('competitor.wrong', { reason: say('gpu.artefact') }), 'sha256');
    },
  };
}

/** Each track has a judge of its own. */
export function byTrack(judges: Readonly<Record<Track, Judge>>): Judge {
  return (artefact, options) => judges[options.track](artefact, options);
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Saying } from '../../../../src-preload/contract/saying.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { memoryLimit } from '../../../learning/learning-settings.ts';
import { type OwnTrainer, OwnTrainers } from '../../../learning/trainers/own-trainers.ts';
import { TrainerChoice } from '../../../learning/trainers/trainer-choice.ts';
import { TrainersOutlook } from '../../../learning/trainers/trainer-outlook.ts';
import type { ModelLibrary } from '../../../models/library/library.ts';
import { GpuTrainers } from '../../learning/gpu-trainers.ts';
import { modelHash, openRemoteTraining } from '../../learning/remote-training.ts';
import type { Core } from '../core.ts';
import type { FleetPart } from '../mesh/fleet.ts';
import type { Report } from '../report.ts';
import type { LearningTorchPart } from './learning-torch.ts';

/** Who computes while this node learns, and for whom it computes. */
export interface LearningTrainersPart extends Pick<TrainerChoice, 'check' | 'create' | 'laterIfAway'> {
  /** What a training would take by each kind of trainer. */
  readonly outlook: TrainersOutlook;
  /** Id of the node that trains here now; and how many trainings of others have begun here since the start. */
  hosted(): { node: string | undefined; begun: number };
}

export interface LearningTrainersNeeds {
  library: ModelLibrary;
  torch: LearningTorchPart;
  fleet: Pick<FleetPart, 'call' | 'onCall' | 'others'> | undefined;
  /** Whether the node stays: then it trains for others, too. */
  stays: boolean;
  /** What speaks against training for others now. */
  against: () => readonly Saying[];
}

export async function openLearningTrainers(core: Core, needs: LearningTrainersNeeds): Promise<LearningTrainersPart> {
  const { config, settings, ports, log, onClose } = core;
  const { library, torch, fleet, stays, against } = needs;
  const set = settings.follow('learning');
  const here = new GpuTrainers({ spawner: ports.spawner, pages: ports.gpuPages, log });
  const own = new OwnTrainers({ torch, here, memoryLimit: () => memoryLimit(set.now) });
  const hosted = dataPath(config.dataDir, 'hostedTraining');
  const usual = async (): Promise<OwnTrainer> =>
    set.now.trainer === 'torch' && (await own.hasTorch()) ? 'torch' : 'here';
  const remote =
    fleet && stays
      ? await openRemoteTraining({
          ...{ fleet, library, log, folder: hosted },
          createTrainer: async () => await own.create(await usual(), join(hosted, 'torch')),
          forecast: async (modelPath, wanted) => await own.forecast(await usual(), { modelPath, settings: wanted }),
          memoryLimit: async () => await own.memoryLimit(await usual()),
          isAllowed: () => set.now.trainForOthers,
          mayTrain: against,
        })
      : undefined;
  if (remote) onClose(() => remote.close());
  const work = torchWork(config.dataDir);
  const ways = { own, others: remote?.trainers, sha256: (path: string) => modelHash(path, library) };
  const choice = new TrainerChoice({
    ...{ ...ways, which: () => set.now.trainer, log },
    makeRoom: async () => await remote?.host.makeRoom(say('trainers.ownRun')),
    work,
  });
  return Object.assign(choice, {
    outlook: new TrainersOutlook(ways),
    hosted: () => ({ node: remote?.host.trainsFor, begun: remote?.host.begun ?? 0 }),
  });
}

/** What PyTorch is handed. */
const torchWork = (dataDir: string) => join(dataPath(dataDir, 'learning'), 'torch');

/** Removes what a node before left that was killed: samples and adapters, its own and those of others, which are made of what people have asked. */
export async function clearTrainers(dataDir: string): Promise<void> {
  for (const folder of [torchWork(dataDir), dataPath(dataDir, 'hostedTraining')]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @param trainers undefined on a node that does not learn */
export function learningTrainersReport(trainers: LearningTrainersPart | undefined): Report {
  if (!trainers) return {};
  return {
    figures: [
      {
        name: 'quarry_hosted_training',
        help: 'Whether another node of the same owner trains here now.',
        read: () => (trainers.hosted().node === undefined ? 0 : 1),
      },
      {
        name: 'quarry_hosted_trainings_total',
        help: 'Trainings of other nodes of the same owner that have begun here.',
        kind: 'total',
        read: () => trainers.hosted().begun,
      },
    ],
  };
}

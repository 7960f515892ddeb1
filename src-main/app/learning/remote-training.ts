import { sha256OfFile } from '../../base/sha256.ts';
import { TRAINING_CALL } from '../../learning/training/remote/channel.ts';
import type { RemoteTrainerOptions } from '../../learning/training/remote/remote-trainer.ts';
import { RemoteTrainers } from '../../learning/training/remote/remote-trainers.ts';
import { checkSaved } from '../../learning/training/remote/saved-files.ts';
import { TrainerHost, type TrainerHostOptions } from '../../learning/training/remote/trainer-host.ts';
import type { Fleet } from '../../mesh/fleet/fleet.ts';
import type { ModelLibrary } from '../../models/library/library.ts';

export interface RemoteTrainingOptions extends Omit<TrainerHostOptions, 'modelPath'> {
  fleet: Pick<Fleet, 'call' | 'onCall' | 'others'>;
  library: Pick<ModelLibrary, 'list'>;
  /** Looks at what another node has saved, before anything here loads it. Default {@link checkSaved}. */
  check?: RemoteTrainerOptions['check'];
}

/** Trains on the other nodes of this node's owner, and for them. Closed, it trains for nobody any more. */
export async function openRemoteTraining({ fleet, library, check = checkSaved, ...options }: RemoteTrainingOptions) {
  const host = new TrainerHost({
    ...options,
    modelPath: async (sha256) => (await library.list()).find((model) => model.sha256 === sha256)?.path,
  });
  await host.open();
  const unfollow = fleet.onCall(TRAINING_CALL, (call) => host.take(call));
  const trainers = new RemoteTrainers({
    nodes: () => fleet.others().flatMap(({ id, name, online }) => (online ? [{ node: id, name }] : [])),
    dial: (node) => fleet.call(node, TRAINING_CALL),
    sha256: (path) => modelHash(path, library),
    check,
    mostBytes: options.mostBytes,
  });
  return {
    trainers,
    host,
    async close() {
      unfollow();
      await host.close();
    },
  };
}

/** SHA-256 of a model's file, 64 hex: as the library knows it, else read. */
export async function modelHash(path: string, library: Pick<ModelLibrary, 'list'>): Promise<string> {
  const known = (await library.list()).find((model) => model.path === path);
  return known?.sha256 ?? (await sha256OfFile(path));
}

import { join } from 'node:path';
import { openRemoteTraining, type RemoteTrainingOptions } from '../../../src-main/app/learning/remote-training.ts';
import type { ModelFile } from '../../../src-main/models/library/library.ts';
import { openFleetNode, type TestFleetNode, type TestFleetOptions } from '../fleet-node.ts';
import { testLog } from '../mesh-node.ts';
import { CountingTrainer } from './counting-trainer.ts';
import { MODEL } from './remote-world.ts';

/** A node on a real mesh that trains for others of its owner's, with trainers that compute nothing. */
export interface TrainingNode extends TestFleetNode {
  training: Awaited<ReturnType<typeof openRemoteTraining>>;
  /** Those that it has made. */
  local: CountingTrainer[];
  /** GGUF file of the model; there is none. */
  modelPath: string;
  /** What trainings need on the disk lies there. */
  work: string;
}

export async function openTrainingNode(
  folder: string,
  fleet: TestFleetOptions,
  options: Partial<RemoteTrainingOptions> = {},
): Promise<TrainingNode> {
  const node = await openFleetNode(fleet);
  const local: CountingTrainer[] = [];
  const modelPath = `/models/${fleet.name}.gguf`;
  const work = join(folder, fleet.name);
  const training = await openRemoteTraining({
    fleet: node.fleet,
    library: { list: async () => [{ path: modelPath, sha256: MODEL } as ModelFile] },
    folder: work,
    createTrainer: async () => {
      const trainer = new CountingTrainer();
      local.push(trainer);
      return trainer;
    },
    forecast: async () => ({ memory: 1, secondsPerStep: () => 1 }),
    memoryLimit: () => 2,
    isAllowed: () => true,
    mayTrain: () => [],
    check: async () => undefined,
    mostBytes: async () => 2 ** 30,
    log: testLog,
    ...options,
  });
  return {
    ...node,
    // What it tells is read from there.
    get summary() {
      return node.summary;
    },
    set summary(summary) {
      node.summary = summary;
    },
    training,
    local,
    modelPath,
    work,
    async [Symbol.asyncDispose]() {
      await training.close();
      await node[Symbol.asyncDispose]();
    },
  };
}

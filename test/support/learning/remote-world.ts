import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ifMissing } from '../../../src-main/base/swallowed.ts';
import { RemoteTrainer, type RemoteTrainerOptions } from '../../../src-main/learning/training/remote/remote-trainer.ts';
import { TrainerHost, type TrainerHostOptions } from '../../../src-main/learning/training/remote/trainer-host.ts';
import type { TrainerSettings, TrainingSample } from '../../../src-main/learning/training/trainer.ts';
import { testLog } from '../mesh-node.ts';
import { PATIENCE_MS } from '../patience.ts';
import { Wire } from './channel-pair.ts';
import { CountingTrainer } from './counting-trainer.ts';

/** Of a file of an adapter. */
const MANY_BYTES = 2 ** 30;
export const MODEL = 'd'.repeat(64);

export const SETTINGS: TrainerSettings = {
  objective: 'distillation',
  learningRate: 5e-4,
  rank: 8,
  alpha: 16,
  modules: ['q_proj', 'v_proj'],
  maxGradNorm: 1,
  weightDecay: 0.01,
  mixture: 0.5,
  isClip: 5,
  klWeight: 0,
  seed: 42,
};

/** A sample with log-probabilities that no shorter number is. */
export function sampleOf(prompt: number, response: number, top = 3): TrainingSample {
  const tokens = (count: number, from: number) => Array.from({ length: count }, (_, index) => from + index);
  return {
    prompt: tokens(prompt, 5),
    response: tokens(response, 1_000),
    teacher: tokens(response, 0)
      .map((at) => ({
        tokens: tokens(top, at),
        logprobs: tokens(top, 1).map((rank) => -Math.log(rank + at / 7)),
      }))
      .map((each) => ({ ...each, logprobs: each.logprobs.map((value) => Math.min(0, value)) })),
    old: tokens(response, 1).map((at) => -Math.SQRT2 * at),
  };
}

/** A node that trains for another one in memory, with trainers that compute nothing. */
export class RemoteWorld implements AsyncDisposable {
  readonly folder: string;
  readonly trainers: CountingTrainer[] = [];
  readonly host: TrainerHost;
  readonly wire: Wire;
  /** What speaks against training, and whether it is allowed; and bytes of memory that it may take. */
  against: string[] = [];
  isAllowed = true;
  memory = 1_000;
  readonly #remote: RemoteTrainer[] = [];

  private constructor(folder: string, options: Partial<TrainerHostOptions>) {
    this.folder = folder;
    this.host = new TrainerHost({
      folder: this.hostFolder,
      modelPath: async (sha256) => (sha256 === MODEL ? '/models/there.gguf' : undefined),
      createTrainer: async () => {
        const trainer = new CountingTrainer();
        this.trainers.push(trainer);
        return trainer;
      },
      forecast: async () => ({ memory: 900, secondsPerStep: (samples, tokens) => 1 + samples * tokens * 0.01 }),
      memoryLimit: () => this.memory,
      isAllowed: () => this.isAllowed,
      mayTrain: () => this.against.map((key) => ({ key })),
      mostBytes: async () => MANY_BYTES,
      log: testLog,
      patience: { lookEveryMs: 1, ...options.patience },
      ...options,
    });
    this.wire = new Wire((channel) => this.host.take(channel));
  }

  static async open(options: Partial<TrainerHostOptions> = {}): Promise<RemoteWorld> {
    const world = new RemoteWorld(await mkdtemp(join(tmpdir(), 'quarry-remote-')), options);
    await world.host.open();
    return world;
  }

  get hostFolder(): string {
    return join(this.folder, 'host');
  }

  trainer(options: Partial<RemoteTrainerOptions> = {}): RemoteTrainer {
    const trainer = new RemoteTrainer({
      name: 'PC',
      dial: () => this.wire.dial(),
      sha256: async () => MODEL,
      check: async () => undefined,
      mostBytes: async () => MANY_BYTES,
      returnMs: PATIENCE_MS,
      ...options,
    });
    this.#remote.push(trainer);
    return trainer;
  }

  /** One that is open. */
  async opened(
    options: Partial<RemoteTrainerOptions> = {},
  ): Promise<{ remote: RemoteTrainer; local: CountingTrainer }> {
    const remote = this.trainer(options);
    await remote.open({ modelPath: '/models/here.gguf', settings: SETTINGS });
    return { remote, local: this.trainers.at(-1) as CountingTrainer };
  }

  /** What the host has on its disk. */
  async left(): Promise<string[]> {
    return (await readdir(this.hostFolder).catch(ifMissing)) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const trainer of this.#remote) await trainer.close();
    await this.host.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A folder's files, by names. */
export async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}

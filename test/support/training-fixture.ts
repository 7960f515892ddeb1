import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type LoraAdapter,
  type LoraMatrices,
  matrixPlace,
  modulesOf,
} from '../../src-main/learning/formats/lora-adapter.ts';
import { readSafetensors } from '../../src-main/learning/formats/safetensors.ts';
import type { TrainerSettings, TrainingSample } from '../../src-main/learning/training/trainer.ts';
import type { Objective } from '../../src-preload/contract/learning-runs.ts';

const FOLDER = resolve(import.meta.dirname, '../fixtures/learning');

/** What PyTorch says of a small random model: scripts/learning-fixtures/models.py. */
export interface TrainingFixture {
  modelPath: string;
  samples: TrainingSample[];
  settings: Omit<TrainerSettings, 'objective' | 'seed'>;
  /** By the name of a loss. */
  expected: Record<string, { distill: number; kl: number; loss: number }>;
  /** Of the last of them. */
  gradNorm: number;
  /** The adapter (`adapter`), gradients of a loss by it (by the loss's name), the adapter after a step along the last (`stepped`). */
  adapter(kind: string): LoraAdapter;
  /** At the places before a sample's response: tokens × vocabulary. */
  logits(sample: number): Float32Array;
}

export async function trainingFixture(architecture: string): Promise<TrainingFixture> {
  const { tensors } = await readSafetensors(join(FOLDER, `${architecture}.safetensors`));
  const text = JSON.parse(readFileSync(join(FOLDER, `${architecture}.json`), 'utf8'));
  const values = (name: string) => tensors.get(name)?.values ?? new Float32Array();
  const adapter = (kind: string): LoraAdapter => {
    const { rank, alpha } = text.settings;
    const matrices = new Map<string, LoraMatrices>();
    for (const [, name = ''] of [...tensors.keys()].map((key) => /^adapter\.(.*)\.a$/.exec(key) ?? [])) {
      const [a, b] = [values(`${kind}.${name}.a`), values(`${kind}.${name}.b`)];
      if (name) matrices.set(name, { a, b, in: a.length / rank, out: b.length / rank });
    }
    const layers = 1 + Math.max(...[...matrices.keys()].map((name) => matrixPlace(name).layer));
    return { base: { architecture, layers }, rank, alpha, modules: modulesOf(matrices.keys()), matrices };
  };
  return {
    modelPath: join(FOLDER, `${architecture}.gguf`),
    ...text,
    adapter,
    logits: (sample) => values(`logits.${sample}`),
  };
}

/** With the settings of a loss of the fixture: `sdpo-student` is SDPO with a mixture of 1. */
export function settingsOf({ settings }: TrainingFixture, loss: string): TrainerSettings {
  const objective: Objective = loss === 'distillation' ? 'distillation' : 'sdpo';
  return {
    ...settings,
    ...{ objective, seed: 1 },
    ...(objective === 'distillation' && { klWeight: 0 }),
    ...(loss === 'sdpo-student' && { mixture: 1 }),
  };
}

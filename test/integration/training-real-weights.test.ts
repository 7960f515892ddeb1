/** @module-tag long */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADAPTER_MODULES } from '../../src-main/learning/formats/lora-adapter.ts';
import { JaxTrainer } from '../../src-main/learning/training/jax-trainer.ts';
import type { TrainerSettings, TrainingSample } from '../../src-main/learning/training/trainer.ts';
import { writeDequantised } from '../support/dequantised-model.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';

/** `npm run test:models` fetches it. */
const modelPath = (await findRealModel(SMOLLM2)) ?? '';
const LLAMA = resolve(import.meta.dirname, '../fixtures/llama-scores.ts');

const PROMPT =
  '<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\nWhy is the sky blue?<|im_end|>\n<|im_start|>assistant\n';
const RESPONSE =
  'Sunlight is scattered by the air, and blue light is scattered more than red light. That is why the sky looks blue by day, and red in the evening.';

const SETTINGS: TrainerSettings = {
  objective: 'distillation',
  learningRate: 5e-4,
  ...{ rank: 8, alpha: 16, modules: ADAPTER_MODULES, seed: 7 },
  ...{ maxGradNorm: 1, weightDecay: 0.01, mixture: 0.5, isClip: 5, klWeight: 0 },
};

interface Scored {
  prompt: number[];
  response: number[];
  logprobs: number[];
}

async function llamaScores(model: string, adapter = ''): Promise<Scored> {
  const { stdout } = await promisify(execFile)(process.execPath, [LLAMA, model, adapter, PROMPT, RESPONSE]);
  return JSON.parse(stdout);
}

/** How far two are apart: mean and most of a token, in nats. */
function distances(one: readonly number[], other: readonly number[]): { mean: number; most: number } {
  const all = one.map((value, at) => Math.abs(value - (other[at] ?? Number.NaN)));
  return { mean: all.reduce((sum, value) => sum + value, 0) / all.length, most: Math.max(...all) };
}

/** A teacher that is sure of the response's own tokens. */
function sampleOf({ prompt, response }: Scored): TrainingSample {
  return { prompt, response, teacher: response.map((token) => ({ tokens: [token], logprobs: [-0.01] })) };
}

/** `npm run test:learning`: each takes the better part of a minute. */
const atLength = Boolean(process.env.QUARRY_TEST_LEARNING);

describe.skipIf(!modelPath)('SmolLM2-135M', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const trainer = new JaxTrainer();

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  afterAll(async () => {
    await trainer.close();
    await folder.remove();
  });

  const within = async (type: 'F32' | 'F16', most: number) => {
    const path = join(folder.path, `${type}.gguf`);
    await writeDequantised(modelPath, path, type);
    const scored = await llamaScores(path);
    await trainer.open({ modelPath: path, settings: SETTINGS });
    const found = distances(await trainer.score(scored), scored.logprobs);
    await trainer.close();
    process.stderr.write(`${type}: ${JSON.stringify(found)}\n`);
    expect(found.most).toBeLessThan(most);
  };

  it('has the log-probabilities of llama.cpp, on F32 weights', () => within('F32', 5e-3));
  it.skipIf(!atLength)('has them on F16 weights nearly', () => within('F16', 1e-2));

  it.skipIf(!atLength)('learns a response, and llama.cpp says it with the adapter that was saved', async () => {
    const before = await llamaScores(modelPath);
    const { memory } = await trainer.open({ modelPath, settings: SETTINGS, longest: 96 });
    const untrained = await trainer.score(before);
    const losses: number[] = [];
    for (let step = 0; step < 4; step++) losses.push((await trainer.step([sampleOf(before)])).loss);
    const trained = await trainer.score(before);
    await trainer.save(join(folder.path, 'learnt'));
    const status = process.platform === 'linux' ? await readFile(`/proc/${trainer.pid}/status`, 'utf8') : '';
    const peak = 1_024 * Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0);
    const after = await llamaScores(modelPath, join(folder.path, 'learnt/adapter.gguf'));
    const far = [distances(untrained, before.logprobs), distances(trained, after.logprobs)];
    process.stderr.write(`Q4_1: ${JSON.stringify({ far, losses, peak, memory })}\n`);
    expect(peak).toBeLessThan(memory);
    expect(losses[3]).toBeLessThan((losses[0] ?? 0) * 0.6);
    // llama.cpp rounds activations to eight bits where weights are quantised.
    expect(far[1]?.mean).toBeLessThan(0.2);
    const gained = after.logprobs.map((value, at) => value - (before.logprobs[at] ?? 0));
    expect(gained.reduce((sum, value) => sum + value, 0)).toBeGreaterThan(1);
  });
});

import { defaultDevice, getWebGPUDevice, init, numpy as np } from '@jax-js/jax';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../../src-preload/contract/saying.ts';
import { assembleTraining } from '../assemble-training.ts';
import { gpuFailed } from '../gpu-failed.ts';
import type { LayerWeights, WeightSource } from '../model/weight-source.ts';
import type { TrainingSample } from '../trainer.ts';
import type { PageDevice } from '../training-messages.ts';
import { type Answers, Calls, type Port } from './calls.ts';
import type { PageModel, PageStep } from './page-tasks.ts';
import { checkedGradients } from './self-check.ts';

/** As much of WebGPU as is used here besides jax-js. */
interface Gpu {
  requestAdapter(options: object): Promise<{
    info: Partial<Record<'vendor' | 'architecture' | 'description', string>> & { isFallbackAdapter?: boolean };
  } | null>;
}
interface GpuDevice {
  addEventListener(type: 'uncapturederror', listener: (event: { error: { message: string } }) => void): void;
  lost: Promise<{ message: string }>;
  queue: { onSubmittedWorkDone(): Promise<void> };
}

/** In the page: computes on the GPU what the trainer's process asks for over the port. One model, for as long as the page lives. */
export function serveTraining(port: Port): void {
  let watched: Watched | undefined;
  let training: Awaited<ReturnType<typeof assembleTraining>>['training'] | undefined;
  let model: PageModel | undefined;
  const device = () => watched ?? fail(say('training.noWebGpu'));
  const open = () => training ?? fail(say('training.notOpen'));
  const answers: Answers = {
    async begin() {
      watched = await openDevice();
      return watched.facts;
    },
    check: () => device().sound(checkedGradients),
    async open(value) {
      model = value as PageModel;
      ({ training } = await device().sound(() => assembleTraining({ ...(value as PageModel), weights: asked(calls) })));
    },
    step(value) {
      const { samples, rate } = value as PageStep;
      return device().sound(() => open().step(samples, rate));
    },
    score: (sample) => device().sound(() => open().score(sample as TrainingSample)),
    saved: async () => model && { adapter: model.adapter, state: model.state },
  };
  const calls = new Calls(port, answers, () => new Error('The trainer is gone.'));
}

/** Weights as the process reads them out of the file. */
function asked(calls: Calls): WeightSource {
  return {
    layer: async (layer) => (await calls.ask('layer', layer)) as LayerWeights,
    embeddings: async (tokens) => (await calls.ask('embeddings', tokens)) as Float32Array,
    outputRows: async (from, count) => (await calls.ask('outputRows', [from, count])) as Float32Array,
    outputNorm: async () => (await calls.ask('outputNorm')) as Float32Array,
    frequencyFactors: async () => (await calls.ask('frequencyFactors')) as Float32Array | undefined,
  };
}

interface Watched {
  facts: PageDevice;
  /** What is computed meanwhile. @throws where the GPU had not enough memory, or was lost: then all that it computed is worth nothing */
  sound<Result>(work: () => Promise<Result>): Promise<Result>;
}

async function openDevice(): Promise<Watched> {
  const { gpu } = (globalThis as unknown as { navigator: { gpu?: Gpu } }).navigator;
  const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) return fail(say('training.noWebGpu'));
  if (!(await init('webgpu')).includes('webgpu')) return fail(say('training.noWebGpu'));
  defaultDevice('webgpu');
  const device = getWebGPUDevice() as unknown as GpuDevice;
  // jax-js goes on after such errors, with arrays that were never computed.
  let fault: string | undefined;
  device.addEventListener('uncapturederror', ({ error }) => {
    fault ??= error.message;
  });
  void device.lost.then(({ message }) => {
    fault ??= message || 'lost';
  });
  const sound = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = await work().catch((error: unknown) => {
      throw fault === undefined ? error : gpuFailed(fault);
    });
    await device.queue.onSubmittedWorkDone();
    if (fault !== undefined) throw gpuFailed(fault);
    return result;
  };
  const { vendor = '', architecture = '', isFallbackAdapter = false } = adapter.info;
  const name = [vendor, architecture].filter(Boolean).join(' ');
  const isSoftware = isFallbackAdapter || architecture === 'swiftshader';
  return { facts: { name, isSoftware, flops: await sound(measuredFlops) }, sound };
}

const WIDTH = 512;
const TIMES = 8;

/** By products of matrices, the first of which is not counted: its kernel has to be compiled. */
async function measuredFlops(): Promise<number> {
  const matrix = np.array(new Float32Array(WIDTH ** 2).fill(1 / WIDTH), { shape: [WIDTH, WIDTH] });
  let x = np.matmul(matrix.ref, matrix.ref);
  await x.blockUntilReady();
  const begun = performance.now();
  for (let time = 0; time < TIMES; time++) x = np.matmul(x, matrix.ref);
  await x.data();
  const seconds = (performance.now() - begun) / 1_000;
  matrix.dispose();
  return (TIMES * 2 * WIDTH ** 3) / seconds;
}

function fail(message: Words): never {
  throw new QuarryError({ code: 'UNSUPPORTED', message });
}

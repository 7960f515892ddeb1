import { z } from 'zod';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { LoraAdapter } from '../../formats/lora-adapter.ts';
import type { SavedAdapter } from '../adapter/adam-w.ts';
import { isReachable } from '../adapter/reachable-state.ts';
import { LONGEST } from '../model/transformer.ts';
import type { WeightSource } from '../model/weight-source.ts';
import type { OpenModel } from '../open-model.ts';
import type { StepFigures, TrainerSettings, TrainingSample } from '../trainer.ts';
import { deviceSchema, figuresSchema, type PageDevice } from '../training-messages.ts';
import { type Answers, Calls, type Port } from './calls.ts';
import type { PageModel, PageStep } from './page-tasks.ts';

const numbers = z.instanceof(Float32Array);
const matricesSchema = z.map(z.string().max(100), z.looseObject({ a: numbers, b: numbers }));
const adapterSchema = z.looseObject({ matrices: matricesSchema });
const savedSchema = z.object({
  adapter: adapterSchema,
  state: z.object({ steps: z.int().min(0).max(1e9), means: adapterSchema, squares: adapterSchema }),
});

const layerSchema = z.int().min(0);
const tokensSchema = z.array(z.int().min(0)).max(LONGEST);
const rowsSchema = z.tuple([z.int().min(0), z.int().min(0).max(65_536)]);

/** What a page asks before it has a model. */
const nothing = () => Promise.reject(new QuarryError({ code: 'NOT_RUNNING', message: say('training.notOpen') }));

/**
 * The trainer's page, from the trainer's process: it is asked to compute, and given the weights that it asks for; it reads no files. It runs a driver's code on a GPU,
 * so what it says is checked like anybody's.
 */
export class PageTraining {
  readonly #calls: Calls;
  #weights: WeightSource | undefined;
  #model: OpenModel | undefined;

  constructor(port: Port) {
    const weights = () => this.#weights ?? nothing();
    const answers: Answers = {
      layer: async (layer) => (await weights()).layer(layerSchema.parse(layer)),
      embeddings: async (tokens) => (await weights()).embeddings(tokensSchema.parse(tokens)),
      outputRows: async (rows) => (await weights()).outputRows(...rowsSchema.parse(rows)),
      outputNorm: async () => (await weights()).outputNorm(),
      frequencyFactors: async () => (await weights()).frequencyFactors(),
    };
    this.#calls = new Calls(
      port,
      answers,
      () => new QuarryError({ code: 'WORKER_LOST', message: say('training.pageGone'), retryable: true }),
    );
  }

  /** @throws UNSUPPORTED where the page has no WebGPU */
  async begin(): Promise<PageDevice> {
    return deviceSchema.parse(await this.#calls.ask('begin'));
  }

  /** What the page makes of the self-check, to be compared with what the processor does. */
  async check(): Promise<z.infer<typeof adapterSchema>> {
    return adapterSchema.parse(await this.#calls.ask('check'));
  }

  async open(model: OpenModel, settings: TrainerSettings, keep: PageModel['keep']): Promise<void> {
    this.#weights = model.weights;
    this.#model = model;
    const { shape, adapter, state } = model;
    await this.#calls.ask('open', { shape, adapter, state, settings, keep } satisfies PageModel);
  }

  async step(samples: readonly TrainingSample[], rate: number): Promise<StepFigures> {
    return figuresSchema.parse(await this.#calls.ask('step', { samples, rate } satisfies PageStep));
  }

  async score(sample: Pick<TrainingSample, 'prompt' | 'response'>): Promise<number[]> {
    return z
      .array(z.number())
      .length(sample.response.length)
      .parse(await this.#calls.ask('score', sample));
  }

  /** The adapter and what the optimizer knows, as they are in the page now. @throws WORKER_LOST where they are not of the sizes that were given to it, or no training comes to them */
  async saved(): Promise<SavedAdapter> {
    const model = this.#model ?? (await nothing());
    const { adapter, state } = savedSchema.parse(await this.#calls.ask('saved'));
    const means = refilled(model.state.means, state.means.matrices);
    const squares = refilled(model.state.squares, state.squares.matrices);
    const saved = { adapter: refilled(model.adapter, adapter.matrices), state: { steps: state.steps, means, squares } };
    if (!(await isReachable(saved.state))) throw unsound();
    return saved;
  }
}

/** The same matrices with other numbers. */
function refilled(adapter: LoraAdapter, found: z.infer<typeof matricesSchema>): LoraAdapter {
  const matrices: LoraAdapter['matrices'] = new Map();
  for (const [name, own] of adapter.matrices) {
    const { a, b } = found.get(name) ?? {};
    if (a?.length !== own.a.length || b?.length !== own.b.length) throw unsound();
    if (!a.every(Number.isFinite) || !b.every(Number.isFinite)) throw unsound();
    matrices.set(name, { ...own, a, b });
  }
  return { ...adapter, matrices };
}

function unsound(): QuarryError {
  return new QuarryError({ code: 'WORKER_LOST', message: say('training.gpuNonsense'), retryable: true });
}

import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { KeepAs } from '../../../../src-preload/contract/kept-answers.ts';
import type { GenerateInput, GenerateRequest } from '../../../../src-preload/contract/request.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type {
  AnswerEvent,
  AskOptions,
  EmbedResult,
  GenerateOptions,
  InferenceBackend,
  ScoreRequest,
  ScoreResult,
} from '../../../inference/backend.ts';
import { checkCalls } from '../../../inference/tools/answer-calls.ts';
import type { LearntChoice, LearntModels } from '../../../learning/adapters/learnt-models.ts';
import type { AnswerKeeper, AnswerOrigin } from '../../../learning/feedback/answer-keeper.ts';
import type { Generator } from '../../../server/openai/generator.ts';
import type { LoadedOther } from '../../engine/other-models.ts';
import type { EnginePart } from '../engine.ts';

export interface LocalAnswersOptions {
  engine: Pick<EnginePart, 'slot' | 'localUse' | 'others' | 'machine' | 'isOwn' | 'waiting'>;
  /** Keeps what models of this machine answer at its own doors. */
  keeper: Pick<AnswerKeeper, 'keep'>;
  /** What of it was learnt. */
  learnt: Pick<LearntModels, 'isName' | 'choose'>;
}

interface LocalOptions extends GenerateOptions {
  /** Under which id the answer may be kept; then its instructions may be kept on the disk, too. Default: neither is. */
  keepAs?: KeepAs | undefined;
}

/** Which model of this machine a name means: its own, or another one of its library. */
type Which = 'own' | 'other';

/** The models of this machine by name. Whoever asks one has it loaded, and it stays in memory until the answer has ended, and a while longer. */
export class LocalAnswers {
  readonly #options: LocalAnswersOptions;

  constructor(options: LocalAnswersOptions) {
    this.#options = options;
  }

  /**
   * Loads a model, if it is not loaded.
   * @param name default: `local`, the node's own model
   * @throws MODEL_NOT_FOUND for a name that none has; what loading throws; CANCELLED
   */
  async begin(name?: string, signal?: AbortSignal): Promise<LocalModel> {
    const which = await this.#which(name);
    if (!which) await this.#refuse(name);
    const model = await this.#load(which ?? 'own', name, signal);
    try {
      if (!which && !(await this.#which(name))) await this.#refuse(name);
      return model;
    } catch (error) {
      model[Symbol.dispose]();
      throw error;
    }
  }

  /** Tokens that a model has room for, question and answer together; undefined while it is not loaded. @param name default: `local` */
  async contextSize(name = 'local'): Promise<number | undefined> {
    const { slot, machine } = this.#options.engine;
    const which = await this.#which(name);
    const loaded = which === 'own' ? slot.current : machine.named(name);
    return loaded?.status().model?.contextSize;
  }

  /** Who answers programs for a name; undefined for one that none of this machine's models has. What the model that is loaded cannot do is absent. */
  async door(name: string): Promise<Generator | undefined> {
    const which = await this.#which(name);
    if (!which) return undefined;
    const all = doorOf((signal) => this.#load(which, name, signal));
    const current = which === 'own' ? this.#options.engine.slot.current : undefined;
    if (!current) return all; // an engine of this machine can do all of it
    const { score, countTokens, embed, ...always } = all;
    return {
      ...always,
      ...(current.score && { score }),
      ...(current.countTokens && { countTokens }),
      ...(current.embed && { embed }),
    };
  }

  async #which(name = 'local'): Promise<Which | undefined> {
    const { engine, learnt } = this.#options;
    if (name === 'local' || learnt.isName(name) || (await engine.isOwn(name))) return 'own';
    return (await engine.others?.names())?.includes(name) ? 'other' : undefined;
  }

  /** Only where the own model's name is known: a server elsewhere tells it once it is asked, and no model at all is told by loading it. */
  async #refuse(wanted = 'local'): Promise<void> {
    const { slot, waiting, others } = this.#options.engine;
    const loaded = slot.status().model?.name ?? (await waiting())?.name;
    if (loaded === undefined) return;
    const names = [...new Set([loaded, ...((await others?.names()) ?? [])])];
    throw new QuarryError({
      code: 'MODEL_NOT_FOUND',
      message: say('node.otherModel', { wanted, names: names.join(', ') }),
      hint: say('node.leaveOut'),
      field: 'model',
    });
  }

  async #load(which: Which, name = 'local', signal?: AbortSignal): Promise<LocalModel> {
    const { learnt, keeper } = this.#options;
    const loaded = await this.#lease(which, name, signal);
    try {
      const { sha256 } = loaded.slot.status().model ?? {};
      const choice = await learnt.choose(learnt.isName(name) ? name : undefined, sha256);
      return new LocalModel({ loaded, choice, keeper, name });
    } catch (error) {
      loaded[Symbol.dispose]();
      throw error;
    }
  }

  async #lease(which: Which, name: string, signal: AbortSignal | undefined): Promise<LoadedOther> {
    const { slot, localUse, others } = this.#options.engine;
    if (which === 'other' && others) return await others.begin(name, { signal });
    const inUse = await localUse.begin(signal);
    return { slot, [Symbol.dispose]: () => inUse[Symbol.dispose]() };
  }
}

interface LocalModelParts extends Pick<LocalAnswersOptions, 'keeper'> {
  loaded: LoadedOther;
  /** What it answers with. */
  choice: LearntChoice;
  /** As it was asked for. */
  name: string;
}

/** A model that is loaded, with what it has learnt; it stays so until this is disposed of, and a while longer. */
class LocalModel implements Disposable {
  readonly #parts: LocalModelParts;

  constructor(parts: LocalModelParts) {
    this.#parts = parts;
  }

  [Symbol.dispose](): void {
    this.#parts.loaded[Symbol.dispose]();
  }

  /** What it has learnt: `personal@3`; null where it answers as it is. */
  get version(): string | null {
    return this.#parts.choice.name;
  }

  generate(request: GenerateRequest, { keepAs, ...options }: LocalOptions = {}): AsyncIterable<AnswerEvent> {
    const { loaded, keeper } = this.#parts;
    const how = { ...options, ...this.#adapter(), keepPrompt: keepAs !== undefined };
    const ask = (wanted: GenerateRequest, more?: GenerateOptions) =>
      checkCalls(loaded.slot.generate(wanted, { ...how, ...more }), wanted);
    const origin = keepAs && this.#originOf(keepAs);
    return origin ? keeper.keep(request, ask, origin) : ask(request);
  }

  async score(request: ScoreRequest, options?: GenerateOptions): Promise<ScoreResult> {
    const backend = this.#parts.loaded.slot.need();
    return await able(backend.score?.(request, { ...options, ...this.#adapter() }));
  }

  async countTokens(input: GenerateInput): Promise<number> {
    return await able(this.#parts.loaded.slot.need().countTokens?.(input));
  }

  async embed(inputs: string[], options?: AskOptions): Promise<EmbedResult> {
    return await able(this.#parts.loaded.slot.need().embed?.(inputs, options));
  }

  #adapter(): Pick<GenerateOptions, 'adapter'> {
    const { path } = this.#parts.choice;
    return path === null ? {} : { adapter: path };
  }

  /** Whose answer it is; undefined where the model is elsewhere, or its file is not known. */
  #originOf(keepAs: KeepAs): AnswerOrigin | undefined {
    const { loaded, choice, name } = this.#parts;
    const backend: InferenceBackend = loaded.slot.need();
    const base = backend.engine && backend.status().model?.sha256;
    return base === undefined ? undefined : { ...keepAs, model: name, adapter: choice.id, base };
  }
}

/** For programs. Each call has the model for as long as it lasts. */
function doorOf(begin: (signal?: AbortSignal) => Promise<LocalModel>): Required<Generator> {
  return {
    sharesPrompts: true,
    async *generate(request, { keepAs, ...options } = {}) {
      using model = await begin(options.signal);
      yield* model.generate(request, {
        ...options,
        keepAs: keepAs === undefined ? undefined : { id: keepAs, door: 'api' },
      });
    },
    async score(request, options) {
      using model = await begin(options?.signal);
      return await model.score(request, options);
    },
    async countTokens(input) {
      using model = await begin();
      return await model.countTokens(input);
    },
    async embed(inputs, options) {
      using model = await begin(options?.signal);
      return await model.embed(inputs, options);
    },
  };
}

async function able<Result>(work: Promise<Result> | undefined): Promise<Result> {
  if (!work) throw new Error('The model that is loaded now cannot do it.');
  return await work;
}

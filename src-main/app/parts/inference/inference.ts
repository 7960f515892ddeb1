import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest } from '../../../../src-preload/contract/inference.ts';
import type { KeepAs } from '../../../../src-preload/contract/kept-answers.ts';
import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { TaskSet } from '../../../base/task-set.ts';
import type { AnswerEvent, GenerateOptions, InferenceBackend } from '../../../inference/backend.ts';
import type { EngineSlot } from '../../../inference/host/engine-slot.ts';
import { checkGenerate } from '../../../inference/request-schema.ts';
import { checkCalls } from '../../../inference/tools/answer-calls.ts';
import type { LearntChoice, LearntModels } from '../../../learning/adapters/learnt-models.ts';
import type { AnswerKeeper, AnswerOrigin } from '../../../learning/feedback/answer-keeper.ts';
import type { Generator, ServedModel } from '../../../server/openai/generator.ts';
import type { FixedConfig } from '../../../settings/config.ts';
import type { Settings } from '../../../settings/settings.ts';
import type { LoadedOther } from '../../engine/other-models.ts';
import type { Core } from '../core.ts';
import { type EnginePart, NO_ENGINE } from '../engine.ts';
import { type MeshPart, NO_MESH } from '../mesh/mesh.ts';
import type { MiningPart } from '../mesh/mining.ts';
import { need } from '../need.ts';

/** Answers questions: by this node's engine, or by the mesh. */
export interface InferencePart {
  /**
   * Asks this node's engine, whose model is loaded for it if need be, or the mesh.
   * @param keepAs under which id an answer of this node's own model may be kept. Default: none is, as whoever asks may do so for somebody else
   * @throws MODEL_NOT_FOUND when the engine has another model than the one asked for; NOT_RUNNING when the node lacks the part
   */
  ask(request: AskRequest, signal?: AbortSignal, keepAs?: KeepAs): AsyncGenerator<AskEvent, void, undefined>;
  /**
   * Asks this node's own model, as it is, about a text that may be longer than what any door lets in: for this node's own work.
   * @throws CONTEXT_TOO_LONG where its context has no room; NOT_RUNNING when the node has no engine
   */
  askLong(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerEvent, void, undefined>;
  /** Loads this node's model for people of this machine. @throws what loading throws; CANCELLED */
  load(signal?: AbortSignal): Promise<void>;
  /** Frees its memory; what it answers ends. @throws BAD_REQUEST while the node mines with it */
  unload(): Promise<void>;
  /** What programs may ask by name: `mesh`, `local`, each model that this machine or the mesh serves, and those that this machine would load for it. */
  models(): Promise<ServedModel[]>;
  /** Who answers for a name, at this node's own door for programs; undefined for one that nobody serves. A name that both serve means this machine. */
  route(model: string): Promise<Generator | undefined>;
}

export interface InferenceNeeds extends Pick<Core, 'onDrain'> {
  config: Pick<FixedConfig, 'backend'>;
  settings: Pick<Settings, 'follow'>;
  engine: EnginePart | undefined;
  mesh: Pick<MeshPart, 'client'> | undefined;
  /** Keeps what this node's own model answers at this node's own doors. */
  keeper: Pick<AnswerKeeper, 'keep'>;
  /** What of it was learnt. */
  learnt: Pick<LearntModels, 'isName' | 'names' | 'choose'>;
  mining: { readonly switch: Pick<MiningPart['switch'], 'state'> } | undefined;
}

export function openInference(needs: InferenceNeeds): InferencePart {
  const { config, settings, engine, mesh, mining, keeper, learnt, onDrain } = needs;
  const asked = new TaskSet();
  onDrain(() => asked.ended());
  const chosen = settings.follow('model');
  const named = () => (config.backend === 'local' ? chosen.now : undefined);
  return {
    async *ask(request, signal, keepAs) {
      using _underWay = asked.begin();
      const events =
        request.target === 'local'
          ? askEngine(need(engine, NO_ENGINE), { named, keeper, learnt }, request, { signal, keepAs })
          : checkCalls(askMesh(need(mesh, NO_MESH), request, signal), request);
      for await (const event of events) {
        yield event.type === 'chunk' ? { type: 'chunk', text: event.text, tokens: event.tokens } : event;
      }
    },
    async *askLong(request, signal) {
      using _underWay = asked.begin();
      const { slot, localUse } = need(engine, NO_ENGINE);
      using _loaded = await localUse.begin(signal);
      yield* slot.generate(request, { signal });
    },
    async load(signal) {
      using _loaded = await need(engine, NO_ENGINE).localUse.begin(signal);
    },
    async unload() {
      if (mining && mining.switch.state !== 'stopped') throw minedWith();
      await need(engine, NO_ENGINE).slot.close();
    },
    models: () => servedModels({ engine, mesh, learnt }, config.backend),
    route: (model) => route(needs, model),
  };
}

function minedWith(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('engine.minedWith'),
    hint: say('engine.stopMiningFirst'),
  });
}

function askMesh(
  { client }: Pick<MeshPart, 'client'>,
  request: AskRequest,
  signal?: AbortSignal,
): AsyncIterable<AnswerEvent> {
  const { model, deadlineMs } = request;
  return client.generate(generateRequest(request), { model, deadlineMs, signal });
}

async function* askEngine(
  engine: EnginePart,
  { named, keeper, learnt }: { named: () => string | undefined } & Pick<InferenceNeeds, 'keeper' | 'learnt'>,
  request: AskRequest,
  { signal, keepAs }: { signal: AbortSignal | undefined; keepAs: KeepAs | undefined },
) {
  const asked = generateRequest(request); // nothing is loaded for what cannot be asked
  const { model } = request;
  const isOther = (await modelHere(engine, learnt, model)) === 'other';
  using loaded = await loadedHere(engine, isOther ? model : undefined, signal);
  const { slot } = loaded;
  const isLearnt = model !== undefined && learnt.isName(model);
  if (!isLearnt) checkModel(model, [slot.status().model?.name, isOther ? model : named()]);
  const { path, id, name } = await learnt.choose(isLearnt ? model : undefined, slot.status().model?.sha256);
  if (name !== null) yield { type: 'version' as const, version: name };
  const origin = keepAs && originOf(slot.need(), { ...keepAs, model: model ?? 'local', adapter: id });
  const how = { deadlineMs: request.deadlineMs, signal, ...(path && { adapter: path }) };
  const ask = (wanted: GenerateRequest, more?: GenerateOptions) =>
    checkCalls(slot.generate(wanted, { ...how, ...more }), wanted);
  yield* origin ? keeper.keep(asked, ask, origin) : ask(asked);
}

/** Which model of this machine a name means: its own, also where none is named, or another one of its library. */
async function modelHere(
  { isOwn, others }: EnginePart,
  learnt: InferenceNeeds['learnt'],
  model: string | undefined,
): Promise<'own' | 'other' | undefined> {
  if (model === undefined || learnt.isName(model) || (await isOwn(model))) return 'own';
  return (await others?.names())?.includes(model) ? 'other' : undefined;
}

/** @param other name of the one that is loaded beside the own model. Default: the own model is loaded */
async function loadedHere(
  { slot, localUse, others }: EnginePart,
  other: string | undefined,
  signal: AbortSignal | undefined,
): Promise<LoadedOther> {
  if (other !== undefined && others) return await others.begin(other, signal);
  const inUse = await localUse.begin(signal);
  return { slot, [Symbol.dispose]: () => inUse[Symbol.dispose]() };
}

function generateRequest({
  target: _,
  messages,
  model: __,
  deadlineMs: ___,
  ...sampling
}: AskRequest): GenerateRequest {
  return checkGenerate({ input: { messages }, ...sampling });
}

/** Its name, or the setting that chose it, means it. */
function checkModel(wanted: string | undefined, [loaded, named]: (string | undefined)[]): void {
  if (wanted === undefined || loaded === undefined || wanted === loaded || wanted === named) return;
  throw new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: say('node.otherModel', { loaded, wanted }),
    hint: say('node.leaveOut'),
    field: 'model',
  });
}

async function servedModels(
  { mesh, engine, learnt }: Pick<InferenceNeeds, 'mesh' | 'engine' | 'learnt'>,
  kind: FixedConfig['backend'],
): Promise<ServedModel[]> {
  const local = engine?.slot.status().model;
  const models: ServedModel[] = mesh ? [{ name: 'mesh', kind: 'mesh' }] : [];
  if (local) {
    const { contextSize } = local;
    const names = ['local', local.name, ...learnt.names(local.sha256)];
    models.push(...names.map((name) => ({ name, kind, contextSize })));
  }
  const known = new Set(models.map(({ name }) => name));
  const installed = (await engine?.others?.names()) ?? [];
  const more: ServedModel[] = [
    ...installed.map((name) => ({ name, kind: 'local' as const })),
    ...[...meshModels(mesh)]
      .filter((name) => !installed.includes(name))
      .map((name) => ({ name, kind: 'mesh' as const })),
  ];
  return [...models, ...more.filter(({ name }) => !known.has(name))];
}

async function route({ mesh, engine, keeper, learnt }: InferenceNeeds, model: string): Promise<Generator | undefined> {
  const parts = { keeper, learnt };
  if (engine) {
    const here = await modelHere(engine, learnt, model === 'local' ? undefined : model);
    if (here === 'own' && engine.slot.current) return ofEngine(engine.slot, parts, model);
    const other = here === 'other' ? model : undefined;
    if (here) return whenLoaded((signal) => loadedHere(engine, other, signal), parts, model);
  }
  if (!mesh || (model !== 'mesh' && !meshModels(mesh).has(model))) return undefined;
  const { client } = mesh;
  const asked = model === 'mesh' ? {} : { model };
  return {
    generate: (request, { keepAs: _, ...options } = {}) =>
      checkCalls(client.generate(request, { ...options, ...asked }), request),
  };
}

/** This node's engine for its own door, with what it has learnt; it keeps what it may. */
function ofEngine(
  slot: EngineSlot,
  { keeper, learnt }: Pick<InferenceNeeds, 'keeper' | 'learnt'>,
  model: string,
): Generator {
  const backend = slot.need();
  const chosen = async () => {
    return await learnt.choose(learnt.isName(model) ? model : undefined, backend.status().model?.sha256);
  };
  return {
    sharesPrompts: true,
    async *generate(request, { keepAs, ...options } = {}) {
      const { path, id } = await chosen();
      const how = { ...options, ...(path && { adapter: path }) };
      const ask = (wanted: GenerateRequest, more?: GenerateOptions) =>
        checkCalls(slot.generate(wanted, { ...how, ...more }), wanted);
      const asked = keepAs === undefined ? undefined : { id: keepAs, door: 'api' as const, model, adapter: id };
      const origin = asked && originOf(backend, asked);
      yield* origin ? keeper.keep(request, ask, origin) : ask(request);
    },
    ...(backend.score && { score: scoreOf(backend, chosen) }),
    ...(backend.countTokens && { countTokens: backend.countTokens.bind(backend) }),
    ...(backend.embed && { embed: backend.embed.bind(backend) }),
  };
}

/** A model of this machine that is loaded when it is asked. */
function whenLoaded(
  begin: (signal: AbortSignal | undefined) => Promise<LoadedOther>,
  parts: Pick<InferenceNeeds, 'keeper' | 'learnt'>,
  model: string,
): Required<Generator> {
  const asked = async <Result>(what: (generator: Generator) => Promise<Result> | undefined, signal?: AbortSignal) => {
    using loaded = await begin(signal);
    const result = await what(ofEngine(loaded.slot, parts, model));
    if (result === undefined) throw new Error('An engine of this machine can do all of it.');
    return result;
  };
  return {
    sharesPrompts: true,
    async *generate(request, options) {
      using loaded = await begin(options?.signal);
      yield* ofEngine(loaded.slot, parts, model).generate(request, options);
    },
    score: (request, options) => asked((generator) => generator.score?.(request, options), options?.signal),
    countTokens: (input) => asked((generator) => generator.countTokens?.(input)),
    embed: (inputs, options) => asked((generator) => generator.embed?.(inputs, options), options?.signal),
  };
}

function scoreOf(backend: InferenceBackend, chosen: () => Promise<LearntChoice>): InferenceBackend['score'] {
  return async (request, options) => {
    const { path } = await chosen();
    if (!backend.score) throw new Error('It can no longer score.');
    return await backend.score(request, { ...options, ...(path && { adapter: path }) });
  };
}

/** Whose answer it is; undefined where the model is elsewhere, or its file is not known. */
function originOf(
  backend: InferenceBackend,
  asked: KeepAs & Pick<AnswerOrigin, 'model' | 'adapter'>,
): AnswerOrigin | undefined {
  const base = backend.engine && backend.status().model?.sha256;
  return base === undefined ? undefined : { ...asked, base };
}

function meshModels(mesh: InferenceNeeds['mesh']): Set<string> {
  return new Set(mesh?.client.workers().flatMap(({ status }) => status?.models.map(({ name }) => name) ?? []));
}

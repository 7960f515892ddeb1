import type { AskEvent, AskRequest } from '../../../../src-preload/contract/inference.ts';
import type { KeepAs } from '../../../../src-preload/contract/kept-answers.ts';
import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';
import { TaskSet } from '../../../base/task-set.ts';
import type { AnswerEvent } from '../../../inference/backend.ts';
import { checkGenerate } from '../../../inference/request-schema.ts';
import { checkCalls } from '../../../inference/tools/answer-calls.ts';
import type { LearntModels } from '../../../learning/adapters/learnt-models.ts';
import type { AnswerKeeper } from '../../../learning/feedback/answer-keeper.ts';
import type { Generator, ServedModel } from '../../../server/openai/generator.ts';
import type { FixedConfig } from '../../../settings/config.ts';
import { freeOwn } from '../../engine/loaded-models.ts';
import type { Core } from '../core.ts';
import { type EnginePart, NO_ENGINE } from '../engine.ts';
import { type MeshPart, NO_MESH } from '../mesh/mesh.ts';
import type { MiningPart } from '../mesh/mining.ts';
import { need } from '../need.ts';
import { askableModels, meshModels } from './askable-models.ts';
import { LocalAnswers } from './local-answers.ts';

/** Answers questions: by this node's engine, or by the mesh. */
export interface InferencePart {
  /**
   * Asks this node's engine, whose model is loaded for it if need be, or the mesh.
   * @param keepAs under which id an answer of this node's own model may be kept; then its instructions may be kept on the disk too.
   * Default: neither is, as whoever asks may do so for somebody else
   * @throws MODEL_NOT_FOUND for a name that no model of this machine has: nothing is loaded for it; NOT_RUNNING when the node lacks the part
   */
  ask(request: AskRequest, signal?: AbortSignal, keepAs?: KeepAs): AsyncGenerator<AskEvent, void, undefined>;
  /**
   * Asks this node's own model, as it is, about a text that may be longer than what any door lets in: for this node's own work.
   * @throws CONTEXT_TOO_LONG where its context has no room; NOT_RUNNING when the node has no engine
   */
  askLong(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerEvent, void, undefined>;
  /** Tokens that a model of this machine has room for, question and answer together; undefined while it is not loaded. @param model default: its own */
  contextSize(model?: string): Promise<number | undefined>;
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
  engine: EnginePart | undefined;
  mesh: Pick<MeshPart, 'client'> | undefined;
  /** Keeps what this node's own model answers at this node's own doors. */
  keeper: Pick<AnswerKeeper, 'keep'>;
  /** What of it was learnt. */
  learnt: Pick<LearntModels, 'isName' | 'names' | 'choose'>;
  mining: { readonly switch: Pick<MiningPart['switch'], 'state'> } | undefined;
}

export function openInference(needs: InferenceNeeds): InferencePart {
  const { config, engine, mesh, mining, keeper, learnt, onDrain } = needs;
  const asked = new TaskSet();
  onDrain(() => asked.ended());
  const local = engine && new LocalAnswers({ engine, keeper, learnt });
  return {
    async *ask(request, signal, keepAs) {
      using _underWay = asked.begin();
      const events =
        request.target === 'local'
          ? askLocal(need(local, NO_ENGINE), request, { signal, keepAs })
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
    contextSize: async (model) => await local?.contextSize(model),
    async load(signal) {
      using _loaded = await need(engine, NO_ENGINE).localUse.begin(signal);
    },
    async unload() {
      const isMining = mining !== undefined && mining.switch.state !== 'stopped';
      await freeOwn(need(engine, NO_ENGINE).slot, isMining);
    },
    models: () => askableModels({ kind: config.backend, engine, mesh, learnt }),
    route: async (model) => (await local?.door(model)) ?? meshDoor(mesh, model),
  };
}

/** Nothing is loaded for what cannot be asked. */
async function* askLocal(
  local: LocalAnswers,
  request: AskRequest,
  { signal, keepAs }: { signal: AbortSignal | undefined; keepAs: KeepAs | undefined },
) {
  const asked = generateRequest(request);
  using model = await local.begin(request.model, signal);
  if (model.version !== null) yield { type: 'version' as const, version: model.version };
  yield* model.generate(asked, { deadlineMs: request.deadlineMs, signal, keepAs });
}

function askMesh(
  { client }: Pick<MeshPart, 'client'>,
  request: AskRequest,
  signal?: AbortSignal,
): AsyncIterable<AnswerEvent> {
  const { model, deadlineMs } = request;
  return client.generate(generateRequest(request), { model, deadlineMs, signal });
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

function meshDoor(mesh: InferenceNeeds['mesh'], model: string): Generator | undefined {
  if (!mesh || (model !== 'mesh' && !meshModels(mesh).has(model))) return undefined;
  const { client } = mesh;
  const asked = model === 'mesh' ? {} : { model };
  return {
    generate: (request, { keepAs: _, ...options } = {}) =>
      checkCalls(client.generate(request, { ...options, ...asked }), request),
  };
}

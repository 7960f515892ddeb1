import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest } from '../../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { AnswerEvent } from '../../inference/backend.ts';
import { checkGenerate } from '../../inference/request-schema.ts';
import type { Config } from '../../settings/config.ts';
import type { EnginePart } from './engine.ts';
import type { MeshPart } from './mesh.ts';
import { need } from './need.ts';

/** Answers questions: by this node's engine, or by the mesh. */
export interface InferencePart {
  /**
   * Asks this node's engine, whose model is loaded for it if need be, or the mesh.
   * @throws MODEL_NOT_FOUND when the engine has another model than the one asked for; NOT_RUNNING when the node lacks the part
   */
  ask(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AskEvent, void, undefined>;
}

export interface InferenceNeeds {
  config: Pick<Config, 'backend' | 'model'>;
  engine: EnginePart | undefined;
  mesh: Pick<MeshPart, 'client'> | undefined;
}

export function openInference({ config, engine, mesh }: InferenceNeeds): InferencePart {
  return {
    async *ask(request, signal) {
      const events =
        request.target === 'local'
          ? askEngine(need(engine, 'engine'), config, request, signal)
          : askMesh(need(mesh, 'mesh'), request, signal);
      for await (const event of events) {
        yield event.type === 'chunk' ? { type: 'chunk', text: event.text, tokens: event.tokens } : event;
      }
    },
  };
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
  { slot, localUse }: EnginePart,
  config: InferenceNeeds['config'],
  request: AskRequest,
  signal?: AbortSignal,
) {
  const asked = generateRequest(request); // nothing is loaded for what cannot be asked
  using _loaded = await localUse.begin(signal);
  checkModel(slot.status().model?.name, config, request.model);
  yield* slot.generate(asked, { deadlineMs: request.deadlineMs, signal });
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

/** One model is loaded at a time: its name, or the setting that chose it, means it. */
function checkModel(loaded: string | undefined, config: InferenceNeeds['config'], wanted: string | undefined): void {
  if (wanted === undefined || loaded === undefined || wanted === loaded) return;
  if (config.backend === 'local' && wanted === config.model) return;
  throw new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: say('node.otherModel', { loaded, wanted }),
    hint: say('node.leaveOut'),
    field: 'model',
  });
}

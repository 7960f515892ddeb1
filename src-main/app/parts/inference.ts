import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest } from '../../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { checkGenerate } from '../../inference/request-schema.ts';
import type { MeshEvent } from '../../mesh/asking/client.ts';
import type { App } from '../app.ts';

/**
 * Asks this node's engine, whose model is loaded for it if need be, or the mesh.
 * @throws MODEL_NOT_FOUND when the engine has another model than the one asked for; NOT_RUNNING when the node lacks the part
 */
export async function* ask(
  app: App,
  request: AskRequest,
  signal?: AbortSignal,
): AsyncGenerator<AskEvent, void, undefined> {
  for await (const event of request.target === 'local'
    ? askLocal(app, request, signal)
    : askMesh(app, request, signal)) {
    yield event.type === 'chunk' ? { type: 'chunk', text: event.text, tokens: event.tokens } : event;
  }
}

function askMesh(app: App, request: AskRequest, signal?: AbortSignal): AsyncIterable<MeshEvent> {
  const { model, deadlineMs } = request;
  return app.part('mesh').client.generate(generateRequest(request), { model, deadlineMs, signal });
}

async function* askLocal(app: App, request: AskRequest, signal?: AbortSignal) {
  const engine = app.part('backend');
  const asked = generateRequest(request); // nothing is loaded for what cannot be asked
  using _loaded = await app.part('localUse').begin(signal);
  checkModel(app, request.model);
  yield* engine.generate(asked, { deadlineMs: request.deadlineMs, signal });
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
function checkModel({ backend, config }: App, wanted: string | undefined): void {
  const loaded = backend?.status().model;
  if (wanted === undefined || !loaded || wanted === loaded.name) return;
  if (config.backend === 'local' && wanted === config.model) return;
  throw new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: `This node serves the model «${loaded.name}», not «${wanted}».`,
    hint: 'Leave the model out, or choose the other one for this node: on the screens, under Models.',
    field: 'model',
  });
}

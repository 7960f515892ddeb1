import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../failures/api-error.ts';
import { addAbsentRoutes } from './absent.ts';
import { ChatFormat, chatRequest, chatSchema } from './chat.ts';
import { requestsFor } from './choices.ts';
import { CompletionFormat, completionRequest, completionSchema, echoOf } from './completion.ts';
import { embeddingAnswer, embeddingSchema } from './embedding.ts';
import { parseBody, unixSeconds } from './fields.ts';
import type { ServedModel } from './generator.ts';
import type { RunningRequests } from './running-requests.ts';
import { Serving, type ServingOptions, unknownModel } from './serving.ts';
import { oneCallAtMost } from './tools.ts';

export interface OpenAiRoutes extends ServingOptions {
  /** What `/v1/models` lists. */
  models: () => ServedModel[] | Promise<ServedModel[]>;
  /** Whether somebody has brought a token: of who has not, it is unknown whose account he is of, and nothing that he asks is kept to learn from. */
  isKnown: (request: FastifyRequest) => boolean;
  running: RunningRequests;
}

/** Adds the OpenAI API to the server. */
export function addOpenAiRoutes(app: FastifyInstance, options: OpenAiRoutes): void {
  const { models, isKnown, metrics, running } = options;
  const serving = new Serving(options);
  const started = unixSeconds();
  const listed = (model: ServedModel) => listedModel(model, started);

  app.get('/v1/models', async () => ({ object: 'list', data: (await models()).map(listed) }));

  // A model's name may hold slashes.
  app.get<{ Params: { '*': string } }>('/v1/models/*', async ({ params }) => {
    const model = (await models()).find(({ name }) => name === params['*']);
    if (!model) throw unknownModel(params['*']);
    return listed(model);
  });

  app.post('/v1/chat/completions', (request, reply) =>
    running.run(request, reply, async (call) => {
      const body = parseBody(chatSchema, request.body);
      const found = await serving.find(body.model, call);
      const generator = body.parallel_tool_calls === false ? oneCallAtMost(found) : found;
      const format = new ChatFormat(body.model, body.stream_options?.include_usage);
      const requests = requestsFor(chatRequest(body), body);
      // One id stands for one answer: feedback could not say which of several it means.
      const mayBeKept = body.store !== false && isKnown(request) && requests.length === 1;
      const answer = { generator, requests, format, keepAs: mayBeKept ? format.id : undefined, echo: undefined };
      return serving.respond(answer, { streamed: body.stream, call, reply });
    }),
  );

  app.post('/v1/completions', (request, reply) =>
    running.run(request, reply, async (call) => {
      const body = parseBody(completionSchema, request.body);
      const generator = await serving.find(body.model, call);
      const format = new CompletionFormat(body.model, body.stream_options?.include_usage);
      const requests = requestsFor(completionRequest(body), body);
      const echo = await echoOf(body, generator, call.signal);
      return serving.respond({ generator, requests, format, echo }, { streamed: body.stream, call, reply });
    }),
  );

  app.post('/v1/embeddings', (request, reply) =>
    running.run(request, reply, async (call) => {
      const body = parseBody(embeddingSchema, request.body);
      const generator = await serving.find(body.model, call);
      if (!generator.embed)
        throw new ApiError(400, { message: `«${body.model}» makes no embeddings.`, param: 'model' });
      const result = await generator.embed(body.input, { signal: call.signal });
      metrics.read(body.model, result.promptTokens);
      return embeddingAnswer(body, result);
    }),
  );

  addAbsentRoutes(app);
}

/** As vLLM lists them: with the context size, which programs look for. */
function listedModel({ name, kind, contextSize }: ServedModel, created: number): object {
  return { id: name, object: 'model', created, owned_by: `quarry-${kind}`, max_model_len: contextSize };
}

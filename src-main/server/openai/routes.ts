import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../failures/api-error.ts';
import { type Answer, answerAtOnce, answerInPieces } from './answer.ts';
import { ChatFormat, chatRequest, chatSchema } from './chat.ts';
import { requestsFor } from './choices.ts';
import { CompletionFormat, completionRequest, completionSchema, echoOf } from './completion.ts';
import { embeddingAnswer, embeddingSchema } from './embedding.ts';
import { EventStream, type EventStreamLimits } from './event-stream.ts';
import { parseBody } from './fields.ts';
import type { Generator, ServedModel } from './generator.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { RunningRequest, RunningRequests } from './running-requests.ts';
import { oneCallAtMost } from './tools.ts';

export interface OpenAiRoutes {
  /** What `/v1/models` lists. */
  models: () => ServedModel[] | Promise<ServedModel[]>;
  /**
   * The generator of a model name (`mesh`, `local` or a model's own); undefined when there is none. May throw a QuarryError
   * that says why a known name cannot be served now.
   */
  route: (model: string) => Generator | undefined | Promise<Generator | undefined>;
  /** Whether somebody has brought a token: of who has not, it is unknown whose account he is of, and nothing that he asks is kept to learn from. */
  isKnown: (request: FastifyRequest) => boolean;
  limits: EventStreamLimits;
  metrics: RequestMetrics;
  running: RunningRequests;
}

/** Adds the OpenAI API to the server. */
export function addOpenAiRoutes(
  app: FastifyInstance,
  { models, route, isKnown, limits, metrics, running }: OpenAiRoutes,
): void {
  const started = Math.floor(Date.now() / 1000);
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
      const includeUsage = Boolean(body.stream && body.stream_options?.include_usage);
      const found = await find(body.model, call);
      const generator = body.parallel_tool_calls === false ? oneCallAtMost(found) : found;
      const format = new ChatFormat(body.model, includeUsage);
      const requests = requestsFor(chatRequest(body), body);
      // One id stands for one answer: feedback could not say which of several it means.
      const mayBeKept = body.store !== false && isKnown(request) && requests.length === 1;
      const answer = { generator, requests, format, keepAs: mayBeKept ? format.id : undefined, echo: undefined };
      return respond({ ...answer, ...ending(call) }, body.stream, reply);
    }),
  );

  app.post('/v1/completions', (request, reply) =>
    running.run(request, reply, async (call) => {
      const body = parseBody(completionSchema, request.body);
      const includeUsage = Boolean(body.stream && body.stream_options?.include_usage);
      const generator = await find(body.model, call);
      const format = new CompletionFormat(body.model, includeUsage);
      const requests = requestsFor(completionRequest(body), body);
      const echo = await echoOf(body, generator, call.signal);
      const answer = { generator, requests, format, echo };
      return respond({ ...answer, ...ending(call) }, body.stream, reply);
    }),
  );

  app.post('/v1/embeddings', (request, reply) =>
    running.run(request, reply, async (call) => {
      const body = parseBody(embeddingSchema, request.body);
      const generator = await find(body.model, call);
      if (!generator.embed)
        throw new ApiError(400, { message: `«${body.model}» makes no embeddings.`, param: 'model' });
      const result = await generator.embed(body.input, { signal: call.signal });
      metrics.read(body.model, result.promptTokens);
      return embeddingAnswer(body, result);
    }),
  );

  async function find(model: string, call: RunningRequest): Promise<Generator> {
    const generator = await route(model);
    if (!generator) throw unknownModel(model);
    call.model = model;
    return generator;
  }

  function ending(call: RunningRequest): Pick<Answer, 'signal' | 'onDone'> {
    return { signal: call.signal, onDone: (result) => metrics.answered(call.model, result) };
  }

  async function respond(answer: Answer, streamed: boolean | undefined, reply: FastifyReply): Promise<object> {
    if (!streamed) return answerAtOnce(answer);
    using stream = new EventStream(reply, limits);
    await answerInPieces(answer, stream);
    return reply;
  }
}

/** As vLLM lists them: with the context size, which programs look for. */
function listedModel({ name, kind, contextSize }: ServedModel, created: number): object {
  return { id: name, object: 'model', created, owned_by: `quarry-${kind}`, max_model_len: contextSize };
}

function unknownModel(model: string): ApiError {
  const message = `There is no model «${model}» here; GET /v1/models lists those that there are.`;
  return new ApiError(404, { message, param: 'model', code: 'model_not_found' });
}

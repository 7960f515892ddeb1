import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, toApiError } from '../../failures/api-error.ts';
import { endingError } from '../answer.ts';
import { parseBody } from '../fields.ts';
import type { OpenAiRoutes } from '../routes.ts';
import type { RunningRequest } from '../running-requests.ts';
import { Serving } from '../serving.ts';
import { oneCallAtMost } from '../tools.ts';
import { ResponseFormat } from './format.ts';
import { messagesOf } from './items.ts';
import { KeptResponses } from './kept-responses.ts';
import { IN_PLACE_HERE, ownMessage, ownParam, responseRequest, responseSchema, UNSUPPORTED_HERE } from './request.ts';

type OneResponse = { Params: { id: string }; Querystring: { stream?: string } };

/** Adds OpenAI's Responses API to the server. */
export function addResponseRoutes(
  app: FastifyInstance,
  { running, isKnown, ...options }: Omit<OpenAiRoutes, 'models'>,
): void {
  const serving = new Serving(options);
  const kept = new KeptResponses();

  const create = async (request: FastifyRequest, reply: FastifyReply, call: RunningRequest) => {
    const body = parseBody(responseSchema, request.body, UNSUPPORTED_HERE, IN_PLACE_HERE);
    const found = await serving.find(body.model, call);
    const generator = body.parallel_tool_calls === false ? oneCallAtMost(found) : found;
    const items = [...kept.before(body.previous_response_id), ...kept.said(body.input)];
    const mayBeKept = body.store !== false;
    const format = new ResponseFormat(body, (ended) => {
      if (mayBeKept) kept.put({ ...ended, items: [...items, ...ended.said.values()] });
    });
    const answer = {
      generator,
      requests: [responseRequest(body, messagesOf(items, body.instructions))],
      format,
      keepAs: mayBeKept && isKnown(request) ? format.id : undefined,
      echo: undefined,
    };
    return serving.respond(answer, { streamed: body.stream, call, reply });
  };

  app.post('/v1/responses', (request, reply) =>
    running.run(request, reply, (call) =>
      create(request, reply, call).catch((error: unknown) => {
        // What was refused at this door is in its words already.
        throw error instanceof ApiError ? error : inOwnWords(toApiError(endingError(error, call.signal)));
      }),
    ),
  );

  app.get<OneResponse>('/v1/responses/:id', ({ params: { id }, query }, reply) => {
    if (query.stream === 'true')
      throw new ApiError(400, { message: 'A response that is kept is told at once.', param: 'stream' });
    return reply.type('application/json; charset=utf-8').send(kept.get(id));
  });

  app.delete<OneResponse>('/v1/responses/:id', ({ params: { id } }) => {
    kept.delete(id);
    return { id, object: 'response', deleted: true };
  });
}

/** The same with the field as it is called here. */
function inOwnWords(error: ApiError): ApiError {
  const { status, type, code, param, retryAfterSeconds, cause } = error;
  const message = ownMessage(error.message, param);
  return new ApiError(status, { message, type, code, param: ownParam(param), retryAfterSeconds }, cause);
}

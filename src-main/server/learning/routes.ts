import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { ApiError, type ApiErrorBody, toApiError } from '../failures/api-error.ts';
import { endingError } from '../openai/answer.ts';
import type { Generator } from '../openai/generator.ts';
import type { OpenAiRoutes } from '../openai/routes.ts';
import type { RunningRequest } from '../openai/running-requests.ts';
import type { LearningDoor } from './learning-door.ts';
import { initSchema, learningAnswer, listSchema, parsed, refSchema, scoreSchema, wantedLearning } from './shapes.ts';

export interface LearningRoutes extends Pick<OpenAiRoutes, 'route' | 'running'> {
  door: LearningDoor;
  /** What `/health` says besides, for other programs. Default: nothing. */
  moreHealth?: (() => object) | undefined;
}

/**
 * What changes the owner's model, or shows what it has learnt, wants a token also where the API is open to all programs of this computer: they may
 * be other accounts'.
 */
const OF_OWNER = { config: { access: 'token' } } as const;

const KEY = 'Idempotency-Key';

/** Adds the API of CLaaS (B1): its programs learn from feedback here as they do there. */
export function addLearningRoutes(app: FastifyInstance, { route, running, door, moreHealth }: LearningRoutes): void {
  const serve =
    (work: (request: FastifyRequest, call: RunningRequest, reply: FastifyReply) => Promise<object>) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      running.run(request, reply, (call) =>
        work(request, call, reply).catch((error: unknown) => {
          throw new DetailedError(toApiError(endingError(error, call.signal)));
        }),
      );

  app.post(
    '/v1/score',
    serve(async ({ body }, { signal }) => {
      const { model, messages, completion } = parsed(scoreSchema, body);
      const name = model || 'local';
      const generator = await route(name);
      if (!generator) throw new ApiError(404, { message: `There is no model «${name}» here.`, param: 'model' });
      return score(generator, { input: { messages }, completion }, signal);
    }),
  );

  app.post(
    '/v1/feedback',
    OF_OWNER,
    serve(async ({ body, headers }, { signal }, reply) => {
      const wanted = wantedLearning(body, keyOf(headers['idempotency-key']));
      const began = performance.now();
      const learnt = await door.learn(wanted, signal).catch((error: unknown) => {
        throw ofKey(error);
      });
      const { state, reason } = learnt.outcome ?? {};
      if (state === 'failed')
        throw new ApiError(500, { message: `distill: ${reason ?? 'it failed.'}`, code: 'distill' });
      if (state === 'cancelled') throw new ApiError(503, { message: reason ?? 'It was cancelled.', code: 'cancelled' });
      if (!learnt.outcome) reply.code(202);
      return learningAnswer(wanted, learnt, { id: randomUUID(), totalMs: performance.now() - began });
    }),
  );

  app.post(
    '/v1/lora/init',
    OF_OWNER,
    serve(async ({ body }) => {
      const { lora_id: name, base_model, lora_r: rank, lora_alpha: alpha, target_modules } = parsed(initSchema, body);
      const bases = door.bases();
      if (base_model !== undefined && !bases.includes(base_model)) throw otherBase(base_model, bases);
      const modules = target_modules ?? undefined;
      return { lora_id: await door.init({ name, rank, alpha, ...(modules && { modules }) }) };
    }),
  );

  app.get(
    '/v1/lora',
    OF_OWNER,
    serve(async ({ query }) => ({ loras: await door.list(parsed(listSchema, query).prefix) })),
  );

  app.delete(
    '/v1/lora',
    OF_OWNER,
    serve(async ({ query }) => ({ deleted: await door.remove(parsed(refSchema, query).lora_id) })),
  );

  app.get(
    '/v1/lora/export',
    OF_OWNER,
    serve(async ({ query }, _call, reply) => {
      const { lora_id } = parsed(refSchema, query);
      const zip = await door.export(lora_id);
      const name = lora_id.replaceAll('/', '__').replaceAll(/[^\w.@-]/g, '_');
      reply.header('content-type', 'application/zip');
      reply.header('content-disposition', `attachment; filename="${name}.zip"`);
      return zip;
    }),
  );

  app.get('/v1/health', () => health(door));
  app.get('/health', () => ({ ...health(door), ...moreHealth?.() }));
}

/** How likely a model finds an answer, in nats. Tokens that end the answer are none of it. */
async function score(
  generator: Generator,
  { input, completion }: { input: Parameters<NonNullable<Generator['countTokens']>>[0]; completion: string },
  signal: AbortSignal,
): Promise<object> {
  if (!generator.score || !generator.countTokens)
    throw new ApiError(503, { message: 'This model cannot score a text.', param: 'model' });
  const prompt_tokens = await generator.countTokens(input);
  if (completion === '') {
    return { logprobs: [], tokens: [], prompt_tokens, completion_tokens: 0, logprob_sum: 0 };
  }
  const { tokens, totalLogprob } = await generator.score({ input, continuation: completion }, { signal });
  return {
    logprobs: tokens.map(({ logprob }) => logprob),
    tokens: tokens.map(({ token }) => token),
    ...{ prompt_tokens, completion_tokens: tokens.length, logprob_sum: totalLogprob },
  };
}

function health(door: LearningDoor): object {
  const error = door.hindrance();
  const worker = error === undefined ? { status: 'healthy' } : { status: 'unavailable', error };
  return { status: error === undefined ? 'healthy' : 'degraded', worker };
}

/** @throws ApiError 422 */
function keyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined || (typeof header === 'string' && /^[\x21-\x7e]{1,150}$/.test(header))) return header;
  throw new ApiError(422, {
    message: '«Idempotency-Key» has 1 to 150 characters without spaces.',
    param: KEY,
  });
}

/** @returns errors that are not of the key as they are */
function ofKey(error: unknown): unknown {
  if (!(error instanceof QuarryError) || error.field !== 'key') return error;
  const { message, code } = toApiError(error);
  return new ApiError(422, { message, code, param: KEY }, error);
}

function otherBase(base: string, bases: readonly string[]): ApiError {
  const here =
    bases.length > 0 ? `Adapters are made for ${bases.map((name) => `«${name}»`).join(', ')}.` : 'No model is loaded.';
  return new ApiError(403, { message: `Adapters for «${base}» are not made here. ${here}`, param: 'base_model' });
}

/** As the original tells it, beside OpenAI's way. */
class DetailedError extends ApiError {
  constructor(error: ApiError) {
    super(error.status, { ...error, message: error.message, retryAfterSeconds: error.retryAfterSeconds }, error.cause);
  }

  override toJSON(): ApiErrorBody & { detail: string } {
    return { ...super.toJSON(), detail: this.message };
  }
}

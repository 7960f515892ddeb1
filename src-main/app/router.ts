import { implement, ORPCError, ValidationError } from '@orpc/server';
import type { Logger } from 'pino';
import { contract } from '../../src-preload/contract/contract.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { App } from './app.ts';

/** Implements the contract on an app. The same router serves HTTP, the command line and (later) windows. */
export function createRouter(app: App) {
  const os = implement(contract).use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw carried(error, app.log);
    }
  });
  return os.router({
    node: {
      status: os.node.status.handler(() => app.status()),
    },
    inference: {
      ask: os.inference.ask.handler(async function* ({ input, signal }) {
        try {
          yield* app.ask(input, signal);
        } catch (error) {
          throw carried(error, app.log); // the middleware has long returned when a stream fails
        }
      }),
    },
    mesh: {
      peers: os.mesh.peers.handler(({ input, signal }) => app.peers(input.waitMs, signal)),
    },
    credits: {
      summary: os.credits.summary.handler(() => app.credits.summary()),
      entries: os.credits.entries.handler(({ input }) => app.credits.entries(input)),
      verify: os.credits.verify.handler(() => app.credits.verify()),
      rebuild: os.credits.rebuild.handler(async () => {
        await app.credits.rebuild();
        return await app.credits.verify();
      }),
    },
    models: {
      list: os.models.list.handler(() => app.models()),
      import: os.models.import.handler(({ input }) => app.importModel(input)),
    },
  });
}

/** Errors cross the contract as data: transports strip the fields of thrown errors. Those without a name are logged. */
function carried(error: unknown, log: Logger): unknown {
  const named = refusedInput(error) ?? error;
  if (named instanceof ORPCError && !(named.cause instanceof ValidationError)) return named;
  const { code, message, ...rest } = QuarryError.from(named).toJSON();
  const internal = code === 'INTERNAL';
  if (internal) log.error({ err: error }, 'a call of the contract failed');
  return new ORPCError('QUARRY', {
    status: internal ? 500 : 400,
    message,
    data: { code, message, ...rest },
    cause: error,
  });
}

/** Input that the contract's schemas refuse, with the field at fault; undefined for any other error. */
function refusedInput(error: unknown): QuarryError | undefined {
  if (!(error instanceof ORPCError) || error.code !== 'BAD_REQUEST' || !(error.cause instanceof ValidationError))
    return;
  const [issue] = error.cause.issues;
  const field = issue?.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || undefined;
  const message = `${field ?? 'The input'} is not as it should be: ${issue?.message ?? error.message}.`;
  return new QuarryError({ code: 'BAD_REQUEST', message, field }, { cause: error });
}

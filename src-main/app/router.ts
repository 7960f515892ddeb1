import { implement, ORPCError, ValidationError } from '@orpc/server';
import type { Logger } from 'pino';
import { contract } from '../../src-preload/contract/contract.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { App } from './app.ts';

/** Implements the contract on an app. The same router serves HTTP, the command line and (later) windows. */
export function createRouter(app: App) {
  const os = implementer(app);
  return os.router({
    node: {
      status: os.node.status.handler(() => app.status()),
    },
    inference: {
      ask: os.inference.ask.handler(({ input, signal }) => named(app.ask(input, signal), app)),
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
    models: modelsRouter(os.models, app),
  });
}

function implementer({ log }: App) {
  return implement(contract).use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw carried(error, log);
    }
  });
}

function modelsRouter(os: ReturnType<typeof implementer>['models'], app: App) {
  return {
    list: os.list.handler(() => app.models.list()),
    import: os.import.handler(({ input, signal }) => named(app.models.import(input, signal), app)),
    catalogue: os.catalogue.handler(({ input }) => app.models.catalogue(input.contextSize)),
    recommend: os.recommend.handler(({ input }) => app.models.recommend(input.use, input.contextSize)),
    pull: os.pull.handler(({ input, signal }) => app.models.pull(input, signal)),
    downloads: os.downloads.handler(() => app.models.downloads.list()),
    watchDownloads: os.watchDownloads.handler(({ signal }) => app.models.watchDownloads(signal)),
    pause: os.pause.handler(({ input }) => app.models.downloads.pause(input.name)),
    resume: os.resume.handler(({ input }) => app.models.downloads.resume(input.name)),
    cancel: os.cancel.handler(({ input }) => app.models.downloads.cancel(input.name)),
    limit: os.limit.handler(({ input }) => app.models.downloads.limit(input.bytesPerSecond)),
    verify: os.verify.handler(({ input, signal }) => named(app.models.verify(input.name, signal), app)),
    remove: os.remove.handler(({ input }) => app.models.remove(input.name)),
    diskUse: os.diskUse.handler(() => app.models.diskUse()),
    move: os.move.handler(({ input, signal }) => named(app.models.move(input.folder, signal), app)),
    sharing: os.sharing.handler(() => app.models.sharing()),
    share: os.share.handler(({ input }) => app.models.share(input.name)),
    unshare: os.unshare.handler(({ input }) => app.models.unshare(input.name)),
    offers: os.offers.handler(({ input, signal }) => app.models.offers(input.waitMs, signal)),
  };
}

/** The middleware has long returned when a stream fails. */
async function* named<T>(events: AsyncIterable<T>, { log }: App): AsyncGenerator<T, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    throw carried(error, log);
  }
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

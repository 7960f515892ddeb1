import { implement, ORPCError, ValidationError } from '@orpc/server';
import type { Logger } from 'pino';
import { contract } from '../../../src-preload/contract/contract.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { App } from '../app.ts';

export type Implementer = ReturnType<typeof implementer>;

/** The contract, ready to be implemented: errors of handlers cross it as data. */
export function implementer({ log }: Pick<App, 'log'>) {
  return implement(contract).use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw carried(error, log);
    }
  });
}

/** The middleware has long returned when a stream fails. */
export async function* named<T>(
  events: AsyncIterable<T>,
  { log }: Pick<App, 'log'>,
): AsyncGenerator<T, void, undefined> {
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

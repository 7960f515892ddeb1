import { implement, ORPCError, ValidationError } from '@orpc/server';
import type { Logger } from 'pino';
import type { Caller } from '../../../src-preload/contract/caller.ts';
import { contract } from '../../../src-preload/contract/contract.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { badInput } from '../../base/bad-input.ts';

type Contract = ReturnType<typeof implementContract>;

/** One domain of the contract, ready to be implemented. */
export interface Domain<Name extends keyof typeof contract> {
  os: Contract[Name];
  /** A stream whose errors cross the contract as data: the middleware has long returned when a stream fails. */
  named: <T>(events: AsyncIterable<T>) => AsyncGenerator<T, void, undefined>;
}

/** The contract, ready to be implemented: errors of handlers cross it as data. */
export function implementer(log: Logger) {
  const os = implementContract(log);
  const domain = <Name extends keyof typeof contract>(name: Name): Domain<Name> => ({
    os: os[name],
    named: (events) => named(events, log),
  });
  return { os, domain };
}

function implementContract(log: Logger) {
  return implement(contract)
    .$context<Caller>()
    .use(async ({ next }) => {
      try {
        return await next();
      } catch (error) {
        throw carried(error, log);
      }
    });
}

async function* named<T>(events: AsyncIterable<T>, log: Logger): AsyncGenerator<T, void, undefined> {
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
  const { code, message, ...rest } = (isAbort(named) ? cancelled() : QuarryError.from(named)).toJSON();
  const internal = code === 'INTERNAL';
  if (internal) log.error({ err: error }, 'a call of the contract failed');
  return new ORPCError('QUARRY', {
    status: internal ? 500 : 400,
    message,
    data: { code, message, ...rest },
    cause: error,
  });
}

/** A page has gone away in the middle, or the node closes: nobody is there to hear it, and nothing is wrong. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function cancelled(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') });
}

/** Input that the contract's schemas refuse, with the field at fault; undefined for any other error. */
function refusedInput(error: unknown): QuarryError | undefined {
  if (!(error instanceof ORPCError) || error.code !== 'BAD_REQUEST' || !(error.cause instanceof ValidationError))
    return;
  return badInput(error.cause.issues[0], error);
}

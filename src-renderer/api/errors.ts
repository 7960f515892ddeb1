import { ORPCError } from '@orpc/client';
import { QuarryError, type QuarryErrorData } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { worded } from '../i18n/worded.ts';

/** So say the ways of oRPC that their connection ended, or had ended before. */
const CONNECTION_LOST = /^\[AsyncIdQueue\]|WebSocket is not open/;

/** What went wrong, as Quarry names it. Errors without a name are failures of the connection: worth another try. */
export function toQuarryError(error: unknown): QuarryError {
  if (error instanceof QuarryError) return error;
  if (error instanceof ORPCError && typeof (error.data as QuarryErrorData | undefined)?.code === 'string') {
    return new QuarryError(error.data as QuarryErrorData);
  }
  const text = error instanceof Error ? error.message : String(error);
  const message = CONNECTION_LOST.test(text) ? say('login.connectionLost') : text;
  return new QuarryError({ code: 'NOT_RUNNING', message, retryable: true }, { cause: error });
}

/** What went wrong and what to do, in one line. */
export function sentenceOf(error: unknown): string {
  const named = toQuarryError(error);
  return [worded(named, 'message'), worded(named, 'hint')].filter(Boolean).join(' ');
}

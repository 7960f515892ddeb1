import { createContext, Script } from 'node:vm';
import type { LlamaText } from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_REQUEST_BYTES } from '../../../src-preload/contract/limits.ts';
import { say } from '../../../src-preload/contract/saying.ts';

/** For one step with a chat template, in milliseconds: most take less than ten, the largest request with many tools a second. */
const TEMPLATE_MS = 5_000;
/** How often a template may repeat what it is given: one without end is not read. */
const MAX_REPEATED = 4;

const call = new Script('work()');
const context: { work?: () => unknown } = {};
createContext(context);

/**
 * Does what runs a chat template, which comes with a model file and may loop for ever. V8 ends it from another thread, and nothing in the template can
 * catch that.
 * @throws MODEL_INVALID when it takes too long; what the work throws
 */
export function inTemplateTime<T>(work: () => T, limitMs = TEMPLATE_MS): T {
  context.work = work;
  try {
    return call.runInContext(context, { timeout: limitMs });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? endless(error) : error;
  } finally {
    context.work = undefined;
  }
}

/** What a template has made of a request. @param given characters of its messages @throws MODEL_INVALID when it is too long to be read */
export function notTooLong(text: LlamaText, given: number): LlamaText {
  const chars = text.values.reduce((sum, value) => sum + value.toString().length, 0);
  if (chars > MAX_REPEATED * Math.max(given, MAX_REQUEST_BYTES)) throw endless();
  return text;
}

/** Whether a template was stopped for what it takes, so that it makes no sense to try it in another way. */
export const isEndless = (error: unknown): boolean => error instanceof QuarryError && error.code === 'MODEL_INVALID';

function endless(cause?: unknown): QuarryError {
  return new QuarryError(
    { code: 'MODEL_INVALID', message: say('engine.endlessTemplate'), hint: say('engine.otherModelFile') },
    { cause },
  );
}

import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../src-preload/contract/saying.ts';

/** An adapter's file that is damaged, or does not fit the model. @param why the end of a sentence */
export function invalidAdapter(why: Words, options?: { cause?: unknown }): QuarryError {
  const message = say('adapters.invalid', { why });
  return new QuarryError({ code: 'ADAPTER_INVALID', message, hint: say('adapters.otherFile') }, options);
}

/** One that is sound, and does what Quarry cannot. @param why the end of a sentence */
export function unsupportedAdapter(why: Words): QuarryError {
  return new QuarryError({ code: 'UNSUPPORTED', message: say('adapters.unsupported', { why }) });
}

import type { InferencePart } from '../parts/inference/inference.ts';
import type { Domain } from './implementer.ts';

/** The contract's `inference`. */
export function inferenceRoutes({ os, named }: Domain<'inference'>, inference: InferencePart) {
  return {
    ask: os.ask.handler(({ input, signal }) => named(inference.ask(input, signal))),
    load: os.load.handler(({ signal }) => inference.load(signal)),
    unload: os.unload.handler(() => inference.unload()),
  };
}

import type { OptimiserPart } from '../parts/inference/optimiser.ts';
import type { Domain } from './implementer.ts';

/** The contract's `optimiser`. */
export function optimiserRoutes({ os, named }: Domain<'optimiser'>, { runs, results }: OptimiserPart) {
  return {
    start: os.start.handler(({ input }) => runs.start(input)),
    resume: os.resume.handler(({ input }) => runs.resume(input.id, input.iterations)),
    stop: os.stop.handler(({ input }) => runs.stop(input.id)),
    remove: os.remove.handler(({ input }) => runs.remove(input.id)),
    list: os.list.handler(({ input }) => results.list(input.limit, input.before)),
    watch: os.watch.handler(({ input, signal }) => named(results.watch(input.id, signal))),
    source: os.source.handler(({ input }) => results.source(input.id, input.number)),
    best: os.best.handler(({ input }) => results.best(input.id)),
    module: os.module.handler(({ input, signal }) => results.module(input.id, input.number, signal)),
  };
}

import type { Core } from '../parts/core.ts';
import { type LearningRunsPart, NO_LEARNING } from '../parts/learning/learning-runs.ts';
import { need } from '../parts/need.ts';
import type { Domain } from './implementer.ts';

/** What of the contract's `learning` is about runs. */
export function learningRunsRoutes(
  { os, named }: Domain<'learning'>,
  part: LearningRunsPart | undefined,
  core: Pick<Core, 'until'>,
) {
  const runs = () => need(part, NO_LEARNING);
  return {
    follow: os.follow.handler(({ signal }) => named(runs().watch(core.until(signal)))),
    runs: os.runs.handler(({ input }) => runs().list(input.limit, input.before)),
    run: os.run.handler(({ input }) => runs().run(input.id)),
    start: os.start.handler(() => runs().start()),
    pause: os.pause.handler(() => runs().pause()),
    outlook: os.outlook.handler(({ input }) => runs().outlook(input.trainer)),
    cancel: os.cancel.handler(() => runs().cancel()),
  };
}

import type { Core } from '../parts/core.ts';
import type { LearningPart } from '../parts/learning.ts';
import type { Domain } from './implementer.ts';
import { learningVersionsRoutes } from './learning-versions.ts';

/** The contract's `learning`. */
export function learningRoutes(domain: Domain<'learning'>, part: LearningPart, core: Pick<Core, 'until'>) {
  const { os } = domain;
  const { desk, keeper, status, versions } = part;
  return {
    status: os.status.handler(() => status()),
    give: os.give.handler(({ input }) => desk.give(input)),
    feedback: os.feedback.handler(({ input }) => desk.list(input)),
    withdraw: os.withdraw.handler(({ input }) => desk.withdraw(input.id)),
    ...learningVersionsRoutes(domain, versions, core),
    forget: os.forget.handler(async () => ({ forgotten: await keeper.forgetAll() })),
  };
}

import type { LearningPart } from '../parts/learning.ts';
import type { Domain } from './implementer.ts';

/** The contract's `learning`. */
export function learningRoutes({ os }: Domain<'learning'>, { desk, keeper, status }: LearningPart) {
  return {
    status: os.status.handler(() => status()),
    give: os.give.handler(({ input }) => desk.give(input)),
    feedback: os.feedback.handler(({ input }) => desk.list(input)),
    withdraw: os.withdraw.handler(({ input }) => desk.withdraw(input.id)),
    forget: os.forget.handler(async () => ({ forgotten: await keeper.forgetAll() })),
  };
}

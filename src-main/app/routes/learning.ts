import type { Core } from '../parts/core.ts';
import type { ModelsPart } from '../parts/inference/models.ts';
import type { LearningPart } from '../parts/learning/learning.ts';
import type { LearningRunsPart } from '../parts/learning/learning-runs.ts';
import type { LearningTorchPart } from '../parts/learning/learning-torch.ts';
import type { Domain } from './implementer.ts';
import { learningRunsRoutes } from './learning-runs.ts';
import { learningSharingRoutes } from './learning-sharing.ts';
import { learningTorchRoutes } from './learning-torch.ts';
import { learningVersionsRoutes } from './learning-versions.ts';

/** The contract's `learning`. */
export function learningRoutes(
  domain: Domain<'learning'>,
  {
    learning,
    learningRuns,
    learningTorch,
    models,
  }: {
    learning: LearningPart;
    learningRuns: LearningRunsPart | undefined;
    learningTorch: LearningTorchPart;
    models: Pick<ModelsPart, 'downloads'>;
  },
  core: Pick<Core, 'until'>,
) {
  const { os } = domain;
  const { desk, keeper, status, versions } = learning;
  return {
    status: os.status.handler(() => status()),
    give: os.give.handler(async ({ input }) => {
      const given = await desk.give(input);
      learningRuns?.added();
      return given;
    }),
    answers: os.answers.handler(({ input }) => desk.answers(input.limit)),
    feedback: os.feedback.handler(({ input }) => desk.list(input)),
    withdraw: os.withdraw.handler(({ input }) => desk.withdraw(input.id)),
    retry: os.retry.handler(async ({ input }) => {
      const waiting = await desk.retry(input.ids);
      learningRuns?.added();
      return waiting;
    }),
    ...learningVersionsRoutes(domain, versions, core),
    ...learningSharingRoutes(domain, versions, models),
    ...learningRunsRoutes(domain, learningRuns, core),
    ...learningTorchRoutes(domain, learningTorch, core),
    forget: os.forget.handler(async () => ({ forgotten: await keeper.forgetAll() })),
  };
}

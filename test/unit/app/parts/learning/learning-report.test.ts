import { expect, it, vi } from 'vitest';
import { learningReport } from '../../../../../src-main/app/parts/learning/learning-report.ts';

it('a look at the metrics counts what waits, and adds up none of the answers that are kept', async () => {
  const feedback = { waiting: 3, taken: 1, aside: 2 };
  const status = vi.fn();
  const { figures } = learningReport({ feedback: async () => feedback, ...{ status } }, undefined);
  expect(await figures?.[0]?.read()).toEqual(feedback);
  expect(status).not.toHaveBeenCalled();
});

import { expect, it } from 'vitest';
import { resume } from '../../../../src-main/cli/evaluation/evaluate.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { EvaluationDetails } from '../../../../src-preload/contract/evaluation.ts';
import { commandContext } from '../../../support/command-context.ts';

const CELL = { suite: 'needle', variant: '', length: 4_000, asked: 2, answered: 2, score: 1, band: null, depth: null };
const TIMES = { firstMs: 100, totalMs: 200, promptTokensPerSecond: 50 };
const OLD: EvaluationDetails = {
  ...{ id: 'old', createdAt: 1, endedAt: null, state: 'paused', model: 'm', sha256: null, texts: 2, done: 1 },
  ...{ seconds: 1, secondsLeft: null, error: null, cells: [{ ...CELL, ...TIMES }] },
  plan: { target: { kind: 'local' }, suites: ['needle'], lengths: [4_000], samples: 2, seed: 'a', ownTexts: false },
};

/** A node with so many evaluations that the first page of them has no old one. */
function node() {
  const asked: string[] = [];
  const evaluation = {
    list: async () => [],
    async *watch({ id }: { id: string }) {
      if (id !== OLD.id) throw new Error(`There is no evaluation «${id}».`);
      yield { ...OLD, state: asked.length > 0 ? 'done' : 'paused' };
    },
    resume: async ({ id }: { id: string }) => asked.push(id),
  };
  const commanded = commandContext({ evaluation }, true);
  // Where the model is elsewhere, none is opened by its name.
  return {
    ...commanded,
    context: { ...commanded.context, config: { backend: 'remote' } as CommandContext['config'] },
    asked,
  };
}

it('goes on with one that was named, however old it is', async () => {
  const { context, lines, documents, asked } = node();
  await resume(context, 'old');
  expect(asked).toEqual(['old']);
  expect(documents).toMatchObject([{ id: 'old', state: 'done' }]);
  expect(lines.join('\n')).toMatch(/4k[\s\S]*50\.0 %/);
  await expect(resume(context, 'other')).rejects.toThrow('no evaluation «other»');
});

it('goes on with the last one that is not done, if there is any', async () => {
  await expect(resume(node().context, undefined)).rejects.toThrow('No evaluation waits to go on.');
});

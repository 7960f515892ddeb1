import { expect, it } from 'vitest';
import { resume, start } from '../../../../src-main/cli/evaluation/evaluate.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { EvaluationDetails, EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { commandContext } from '../../../support/command-context.ts';

const CELL = { suite: 'needle', variant: '', length: 4_000, asked: 2, answered: 2, score: 1, band: null, depth: null };
const TIMES = { firstMs: 100, totalMs: 200, promptTokensPerSecond: 50 };
const OLD: EvaluationDetails = {
  ...{ id: 'old', createdAt: 1, endedAt: null, state: 'paused', model: 'm', sha256: null, texts: 2, done: 1 },
  ...{ seconds: 1, secondsLeft: null, error: null, remark: null, cells: [{ ...CELL, ...TIMES }] },
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

/** A node with these evaluations, the newest first. What is begun there fails at once, after so many answers. */
function failing(all: EvaluationDetails[], cells: EvaluationDetails['cells'] = []) {
  const message = '500 tokens are too few for «places»: it takes about 800.';
  const tooShort = [{ suite: 'places', problem: { code: 'BAD_REQUEST', message, retryable: false } }];
  const [removed, resumed]: [string[], string[]] = [[], []];
  const failed: EvaluationDetails = { ...OLD, ...{ id: 'new', state: 'failed', done: 0, cells } };
  const evaluation = {
    fit: async () => ({ model: 'mesh', room: null, lengths: [{ length: 500, problem: null }], tooShort }),
    start: async () => failed,
    list: async (): Promise<EvaluationView[]> => all,
    async *watch({ id }: { id: string }) {
      const found = [failed, ...all].find((one) => one.id === id) ?? expect.fail(`nobody has ${id}`);
      const error = { code: 'NO_WORKER' as const, message: 'No worker is in reach.', retryable: true };
      if (found === failed) yield { ...failed, error };
      else yield { ...found, state: resumed.includes(id) ? ('done' as const) : found.state };
    },
    remove: async ({ id }: { id: string }) => void removed.push(id),
    resume: async ({ id }: { id: string }) => void resumed.push(id),
  };
  const commanded = commandContext({ evaluation }, true);
  const config = { backend: 'remote' } as CommandContext['config'];
  return { ...commanded, context: { ...commanded.context, config }, removed, resumed };
}

const FLAGS = { lengths: [500], samples: 1 };

it('leaves nothing of one that fails before its first answer', async () => {
  const { context, removed, lines } = failing([]);
  await expect(start(context, 'mesh', FLAGS)).rejects.toThrow('No worker is in reach.');
  expect(removed).toEqual(['new']);
  expect(lines.join('\n')).not.toContain('To go on');
});

it('keeps one that fails with answers, and says how it goes on', async () => {
  const { context, removed, lines } = failing([], OLD.cells);
  await expect(start(context, 'mesh', FLAGS)).rejects.toThrow('No worker is in reach.');
  expect(removed).toEqual([]);
  expect(lines.join('\n')).toContain('To go on: quarry evaluate resume new');
});

it('says before the start which questions have no room in texts so short', async () => {
  const { context, lines } = failing([], OLD.cells);
  await expect(start(context, 'mesh', FLAGS)).rejects.toThrow('No worker is in reach.');
  expect(lines[0]).toBe('No room: 500 tokens are too few for «places»: it takes about 800.');
});

it('goes on with the newest that can, which one that failed without an answer cannot', async () => {
  const nobody: EvaluationDetails = { ...OLD, id: 'nobody', state: 'failed', done: 0, cells: [] };
  const first = failing([{ ...OLD, id: 'done', state: 'done' }, nobody, { ...OLD, id: 'older' }]);
  await resume(first.context, undefined);
  expect(first.resumed).toEqual(['older']);
  // Its first text has further questions: some of them were answered.
  const second = failing([nobody, { ...nobody, id: 'amid', cells: OLD.cells }, { ...OLD, id: 'older' }]);
  await resume(second.context, undefined);
  expect(second.resumed).toEqual(['amid']);
  const stopped = failing([
    { ...nobody, id: 'stopped', state: 'paused' },
    { ...OLD, id: 'older' },
  ]);
  await resume(stopped.context, undefined);
  expect(stopped.resumed).toEqual(['stopped']);
  await expect(resume(failing([nobody]).context, undefined)).rejects.toThrow('No evaluation waits to go on.');
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Db, openDatabase } from '../../../../../src-main/store/database.ts';
import { OptimiserStore } from '../../../../../src-main/store/optimiser.ts';
import type { Compiled } from '../../../../../src-main/subnets/quasar/optimiser/compile/compile-kernel.ts';
import type { Examined } from '../../../../../src-main/subnets/quasar/optimiser/examine.ts';
import { type OptimiseOptions, optimise } from '../../../../../src-main/subnets/quasar/optimiser/optimise.ts';

let db: Db;
let store: OptimiserStore;
const prompts: string[] = [];

beforeEach(async () => {
  prompts.length = 0;
  db = await openDatabase(':memory:');
  store = new OptimiserStore(db);
  await store.add({
    ...{ id: 'run', created_at: 1, ended_at: null, state: 'running', ended_by: null, plan: '{}', model: null },
    ...{ start: 'base', is_own: 0, counts_from: 0, iterations: 0, attempts: 0, best: null, ratio: null, low: null },
    ...{ high: null, model_tokens: 0, error: null },
  });
});
afterEach(() => db.destroy());

const code = (text: string) => `Here:\n\`\`\`ts\n${text}\n\`\`\``;

/** What a source means in this test: its first word is what becomes of it. */
function compile(source: string): Compiled {
  if (source.startsWith('syntax')) return { mistakes: [{ code: 1109, message: 'Expression expected.', line: 1 }] };
  return { module: Buffer.from(source).toString('base64') };
}

function examine(module: Uint8Array): Examined {
  const [kind, low = 0] = Buffer.from(module).toString().split(' ');
  if (kind !== 'speed') return { right: false, fault: 'wrong', reason: { key: 'child.nonsense' } };
  return { right: true, ratio: { median: Number(low) + 0.1, low: Number(low), high: Number(low) + 0.2 } };
}

function options(answers: string[], more: Partial<OptimiseOptions> = {}): OptimiseOptions {
  return {
    ...{ run: 'run', bounds: { iterations: 4, plateau: 9, repairs: 1 }, tokens: 10_000, start: 'base', isOwn: false },
    ...{ best: null, countsFrom: 0, store, onAttempt: () => undefined, newSeed: () => '0', now: () => 1 },
    task: { specification: 'spec', baseline: 'base', examine: async (module) => examine(module) },
    compile: async (source) => compile(source),
    signal: new AbortController().signal,
    writer: {
      ...{ model: 'M', room: null, count: async () => 1 },
      async write({ prompt }) {
        prompts.push(prompt);
        const text = answers.shift();
        if (text === undefined) throw new Error('nothing more to say');
        return { text, promptTokens: 10, answerTokens: 5 };
      },
    },
    ...more,
  };
}

const outcomes = async () =>
  (await store.latest('run', 99)).map(({ iteration, repair, outcome }) => `${iteration}.${repair} ${outcome}`);

it('tries, mends and measures, and keeps each attempt with what it means for its run', async () => {
  const answers = [
    'No idea.',
    code('syntax'),
    code('speed 1.2'),
    code('wrong a'),
    code('speed 1.1'),
    code('speed 1.2'),
    code('speed 2'),
  ];
  expect(await optimise(options(answers))).toBe('iterations');
  expect(await outcomes()).toEqual([
    ...['1.0 noCode', '1.1 syntax', '2.0 measured', '3.0 wrong', '3.1 measured', '4.0 repeated', '4.1 measured'],
  ]);
  expect(await store.find('run')).toMatchObject({ best: 6, low: 2, attempts: 7, iterations: 4, model_tokens: 105 });
  expect(prompts[4]).toContain('# Mend this source');
  expect(prompts[6]).toContain('This is the code of attempt 2 again');
});

it('goes on after the last attempt that was written down, as if nothing had been', async () => {
  const answers = [code('speed 1.2'), code('wrong a')];
  await expect(optimise(options(answers))).rejects.toThrow('nothing more to say');
  const { best } = (await store.find('run')) ?? { best: null };
  const later = [code('speed 1.0'), code('speed 0.9'), code('speed 0.8')];
  expect(await optimise(options(later, { best }))).toBe('iterations');
  expect(await outcomes()).toEqual(['1.0 measured', '2.0 wrong', '2.1 measured', '3.0 measured', '4.0 measured']);
  expect(prompts[2]).toBe(prompts[3]); // what could not be answered is asked again
  expect(await store.find('run')).toMatchObject({ best: 0, low: 1.2 });
});

it('judges each module with a seed of its own', async () => {
  const seeds: string[] = [];
  const task = {
    ...{ specification: '', baseline: 'base' },
    examine: async (module: Uint8Array, { seed }: { seed: string }) => {
      seeds.push(seed);
      return examine(module);
    },
  };
  const left = ['one', 'other'];
  const bounds = { iterations: 2, plateau: 9, repairs: 0 };
  const newSeed = () => left.shift() ?? 'none';
  await optimise(options([code('speed 1'), code('speed 2')], { task, bounds, newSeed }));
  expect(seeds).toEqual(['one', 'other']);
});

it('ends on a plateau', async () => {
  const bounds = { iterations: 100, plateau: 2, repairs: 0 };
  const answers = [code('speed 1.2'), code('speed 1.1'), code('wrong'), code('speed 9')];
  expect(await optimise(options(answers, { bounds }))).toBe('plateau');
  expect(await outcomes()).toHaveLength(3);
});

it('begins with somebody’s own code, without asking for it, and has it mended', async () => {
  const bounds = { iterations: 1, plateau: 9, repairs: 1 };
  await optimise(options([code('speed 1'), code('speed 3')], { bounds, isOwn: true, start: 'wrong own' }));
  expect(await outcomes()).toEqual(['0.0 wrong', '0.1 measured', '1.0 measured']);
  expect(prompts[0]).toContain('wrong own');
});

it('keeps nothing of what was given up', async () => {
  const stop = new AbortController();
  const task = { specification: '', baseline: 'base', examine: () => Promise.reject(stop.signal.reason) };
  stop.abort();
  await expect(optimise(options([code('speed 1')], { task, signal: stop.signal }))).rejects.toBe(stop.signal.reason);
  expect(await outcomes()).toEqual([]);
});

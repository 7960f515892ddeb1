import { describe, expect, it } from 'vitest';
import { questionFor } from '../../../../../src-main/subnets/quasar/optimiser/context.ts';
import type { Tried } from '../../../../../src-main/subnets/quasar/optimiser/standing.ts';

const task = { specification: 'Export step.', baseline: '// the baseline\nexport function step(): void {}\n' };
const reader = (room: number | null) => ({
  model: 'M',
  room,
  count: async (text: string) => Math.ceil(text.length / 4),
});

const tried = (number: number, more: Partial<Tried> = {}): Tried => ({
  ...{ number, iteration: number, repair: 0, outcome: 'measured', source: `// idea: ${number}\n`, detail: null },
  ...{ ratio: 1.25, low: 1.2, high: 1.3 },
  ...more,
});

describe('the question for an attempt', () => {
  it('has the specification and the baseline once, where nothing is there yet', async () => {
    const { prompt, maxTokens } = await questionFor(
      { task, start: task.baseline, best: undefined, lately: [] },
      reader(null),
    );
    expect(prompt.split('// the baseline')).toHaveLength(2);
    expect(prompt).toContain('Export step.');
    expect(maxTokens).toBe(8_192);
  });

  it('has the best source, the baseline beside it and what was tried', async () => {
    const best = tried(2, { source: '// idea: unroll\nexport function step(): void { unrolled(); }' });
    const lately = [
      tried(1, { outcome: 'wrong', detail: 'Token 3 is wrong.\nMore', ratio: null, low: null, high: null }),
      best,
    ];
    const { prompt } = await questionFor({ task, start: task.baseline, best, lately }, reader(null));
    expect(prompt).toContain('unrolled();');
    expect(prompt).toContain('// the baseline');
    expect(prompt).toContain('1. wrong: Token 3 is wrong. – // idea: 1');
    expect(prompt).toContain('2. 1.250 times as fast (1.200 to 1.300) – // idea: unroll');
    expect(prompt).toContain('It is 1.250 times as fast as the baseline.');
  });

  it('has what is to be mended, with its fault, and not the best', async () => {
    const mends = tried(3, { outcome: 'name', source: 'let a = nope;', detail: "Line 1: Cannot find name 'nope'." });
    const best = tried(2, { source: 'export function step(): void { fast(); }' });
    const { prompt } = await questionFor({ task, start: task.baseline, best, mends, lately: [] }, reader(null));
    expect(prompt).toContain('let a = nope;');
    expect(prompt).toContain("Cannot find name 'nope'.");
    expect(prompt).not.toContain('fast();');
  });

  it('drops the oldest of what was tried first, then the baseline, and says where nothing fits', async () => {
    const lately = Array.from({ length: 12 }, (_, at) =>
      tried(at + 1, { source: `// idea: ${'w'.repeat(150)} ${at + 1}\n` }),
    );
    const baseline = `${task.baseline}${'// long\n'.repeat(100)}`;
    const needs = { task: { ...task, baseline }, start: 'export function own(): void {}', best: undefined, lately };
    const all = await questionFor(needs, reader(8_000));
    expect(all.prompt).toContain('\n1. 1.250');
    const some = await questionFor(needs, reader(1_200));
    expect(some.prompt).not.toContain('\n1. 1.250');
    expect(some.prompt).toContain('\n12. 1.250');
    expect(some.maxTokens).toBe(600);
    const none = await questionFor(needs, reader(430));
    expect(none.prompt).not.toContain('// the baseline');
    await expect(questionFor(needs, reader(100))).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG' });
  });
});

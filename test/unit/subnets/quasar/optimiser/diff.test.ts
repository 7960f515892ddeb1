import { expect, it } from 'vitest';
import { diffOf } from '../../../../../src-main/subnets/quasar/optimiser/diff.ts';

const lines = (count: number, of = 'line') => `${Array.from({ length: count }, (_, at) => `${of} ${at}`).join('\n')}\n`;

it('shows what is gone and new with some lines around it', () => {
  const before = lines(20);
  const diff = diffOf(before, before.replace('line 9\n', 'other\n'));
  expect(diff.map(({ kind }) => kind)).toEqual(['gap', 'same', 'same', 'same', 'gone', 'new', 'same', 'same', 'same']);
  expect(diff.filter(({ kind }) => kind !== 'same' && kind !== 'gap').map(({ text }) => text)).toEqual([
    'line 9',
    'other',
  ]);
  expect(diffOf(before, before)).toEqual([]);
});

it('shows two that have nothing in common one after the other', () => {
  const diff = diffOf(lines(4_000), lines(4_000, 'other'));
  expect([diff[0]?.kind, diff.at(-1)?.kind, diff.length]).toEqual(['gone', 'new', 8_000]);
});

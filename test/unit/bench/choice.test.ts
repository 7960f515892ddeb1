import { expect, it } from 'vitest';
import { benchChoice } from '../../../src-main/bench/choice.ts';

it('measures what a status and a choice cost among a thousand workers', async () => {
  const cases = new Map<string, number>();
  for await (const event of benchChoice(1)) if (event.type === 'row') cases.set(event.row.case, event.row.ours);
  expect([...cases.keys()]).toEqual([
    'choice, a status without room',
    'choice, a status with room for one',
    'choice, a status that claims room for all',
    'choice, among all',
  ]);
  for (const ms of cases.values()) expect(ms).toBeGreaterThan(0);
});

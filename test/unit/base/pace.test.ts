import { expect, it } from 'vitest';
import { Pace } from '../../../src-main/base/pace.ts';

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

it('long work in small steps lets others have their turns, and rests when it is to', async () => {
  const pace = new Pace({ sliceMs: 2, rest: 1 });
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  const start = performance.now();
  for (let step = 0; step < 20; step++) {
    work(1);
    await pace.breathe();
  }
  clearInterval(others);
  expect(turns).toBeGreaterThan(0);
  expect(performance.now() - start).toBeGreaterThan(30);
});

it('work that nobody waits for any more ends at its next step', async () => {
  const ending = new AbortController();
  const pace = new Pace({ signal: ending.signal });
  await pace.breathe();
  ending.abort(new Error('enough'));
  await expect(pace.breathe()).rejects.toThrow('enough');
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from '../../../src-main/base/turns.ts';

it('does one thing after the other, in order, and gives each its result', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const work = (name: string, ms: number) => async () => {
    seen.push(`${name} begins`);
    await sleep(ms);
    seen.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([turns.take(work('a', 10)), turns.take(work('b', 0))])).toEqual(['a', 'b']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

it('tells a failure to its own caller only', async () => {
  const turns = new Turns();
  const failing = turns.take(() => Promise.reject(new Error('broken')));
  const next = turns.take(() => 1);
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe(1);
});

it('says when everything asked for has ended, failed or not', async () => {
  const turns = new Turns();
  await turns.ended();
  let done = false;
  const failing = turns.take(async () => {
    await sleep(5);
    done = true;
    throw new Error('broken');
  });
  const heard = expect(failing).rejects.toThrow('broken');
  await turns.ended();
  expect(done).toBe(true);
  await heard;
});

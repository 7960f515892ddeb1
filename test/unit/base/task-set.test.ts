import { expect, it } from 'vitest';
import { TaskSet } from '../../../src-main/base/task-set.ts';

it('keeps tasks until they end, and gives their results', async () => {
  const tasks = new TaskSet();
  const { promise, resolve } = Promise.withResolvers<number>();
  const kept = tasks.add(promise);
  expect(tasks.size).toBe(1);
  resolve(1);
  expect(await kept).toBe(1);
  expect(tasks.size).toBe(0);
});

it('waits for those that are added while it waits', async () => {
  const tasks = new TaskSet();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void tasks.add(first.promise.then(() => void tasks.add(second.promise)));
  let ended = false;
  const ending = tasks.ended().then(() => {
    ended = true;
  });
  first.resolve();
  await new Promise(setImmediate);
  expect([ended, tasks.size]).toEqual([false, 1]);
  second.resolve();
  await ending;
  expect(tasks.size).toBe(0);
});

it('leaves a failure to whoever added the task', async () => {
  const tasks = new TaskSet();
  const failing = expect(tasks.add(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await tasks.ended();
  await failing;
  expect(tasks.size).toBe(0);
});

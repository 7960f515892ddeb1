import { expect, it } from 'vitest';
import { TurnsOf } from '../../../src-main/base/turns-of.ts';

it('does one thing after the other of each, and those of others beside it', async () => {
  const turns = new TurnsOf();
  const done: string[] = [];
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const first = turns.take('a', async () => {
    await held;
    done.push('a 1');
    throw new Error('failed');
  });
  const failed = expect(first).rejects.toThrow('failed');
  const second = turns.take('a', () => done.push('a 2'));
  await turns.take('b', () => done.push('b'));
  expect(done).toEqual(['b']);
  letGo();
  await failed;
  await second;
  expect(done).toEqual(['b', 'a 1', 'a 2']);
});

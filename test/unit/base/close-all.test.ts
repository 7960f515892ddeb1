import { expect, it } from 'vitest';
import { closeAll } from '../../../src-main/base/close-all.ts';

it('closes one after the other, and those after one that fails too', async () => {
  const closed: string[] = [];
  const close = (name: string) => async () => {
    await new Promise(setImmediate);
    closed.push(name);
  };
  const fails = () => Promise.reject(new Error('it is stuck'));
  await expect(closeAll(close('client'), fails, close('swarm'))).rejects.toThrow('it is stuck');
  expect(closed).toEqual(['client', 'swarm']);
  await closeAll(close('again'));
  expect(closed).toEqual(['client', 'swarm', 'again']);
});

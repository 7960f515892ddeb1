import { expect, it } from 'vitest';
import { type ChildExit, nodeSpawner } from '../../../src-main/process/process-spawner.ts';
import { OBEDIENT_CHILD, spawnerContract } from '../../support/spawner-contract.ts';

spawnerContract('Node', nodeSpawner, { signals: true, moduleTrees: true });

it.each([
  ['a module', OBEDIENT_CHILD],
  ['a program', process.execPath],
])('tells why %s could not be started', async (_, run) => {
  let told = '';
  const exit = await new Promise<ChildExit>((onExit) => {
    const onStderr = (text: string) => {
      told += text;
    };
    const launch = { name: 'the homeless', run, cwd: process.execPath, env: {} };
    const child = nodeSpawner.spawn(launch, { onMessage: () => undefined, onStderr, onExit });
    expect(told).toBe('');
    child.send({ order: 'tell' });
    child.kill();
  });
  expect(exit).toEqual({ code: null, signal: null });
  expect(told).toContain('ENOTDIR');
});

const FLOOD = "setInterval(() => process.stdout.write('x'.repeat(1_000_000)), 1)";

it('ends a program that writes without end and says nothing', async () => {
  const messages: unknown[] = [];
  const exit = await new Promise<ChildExit>((onExit) => {
    const launch = { name: 'the flood', run: process.execPath, args: ['-e', FLOOD], env: {} };
    nodeSpawner.spawn(launch, { onMessage: (message) => messages.push(message), onStderr: () => undefined, onExit });
  });
  expect(exit).toEqual({ code: null, signal: 'SIGKILL' });
  expect(messages).toEqual([]);
});

it('takes what a program writes that is no JSON as the text that it is', async () => {
  const messages: unknown[] = [];
  await new Promise<ChildExit>((onExit) => {
    const launch = { name: 'the talker', run: process.execPath, args: ['-e', "console.log('hello\\n\\n{')"], env: {} };
    nodeSpawner.spawn(launch, { onMessage: (message) => messages.push(message), onStderr: () => undefined, onExit });
  });
  expect(messages).toEqual(['hello', '{']);
});

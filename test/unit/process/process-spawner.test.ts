import { expect, it } from 'vitest';
import { type ChildExit, nodeSpawner } from '../../../src-main/process/process-spawner.ts';
import { spawnerContract } from '../../support/spawner-contract.ts';

spawnerContract('Node', nodeSpawner, { signals: true });

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

import childProcess, { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { trustProcessorBinary } from '../../../../src-main/inference/child/binary-trial.ts';

let folder: string;
let trial: string;
let trustNoMore: () => void;

/** Does what node-llama-cpp's does, and tells what it was given. */
const REAL = `
process.on('message', (message) => {
  if (message.type === 'start') process.send({ type: 'loaded', gpu: message.gpu });
  if (message.type === 'test') process.exit(7);
});
process.send({ type: 'ready' });`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-trial-'));
  trial = join(folder, 'testBindingBinary.js');
  await writeFile(trial, REAL);
  await writeFile(join(folder, 'other.js'), REAL);
  trustNoMore = trustProcessorBinary();
});

afterEach(async () => {
  trustNoMore();
  await rm(folder, { recursive: true });
});

it('believes the binary for processors without a process', async () => {
  const child = fork(trial);
  expect(child.pid).toBeUndefined();
  expect(await once(child, 'message')).toMatchObject([{ type: 'ready' }]);
  child.send({ type: 'start', gpu: false });
  expect(await once(child, 'message')).toMatchObject([{ type: 'loaded' }]);
  child.send({ type: 'test', gpu: false });
  expect(await once(child, 'message')).toMatchObject([{ type: 'done' }]);
  expect(child.exitCode).toBeNull();
  child.send({ type: 'exit' });
  expect(child.exitCode).toBe(0);
});

it('tries one for a GPU in a real process, and says how that ended', async () => {
  const child = fork(trial);
  await once(child, 'message');
  child.send({ type: 'start', gpu: 'vulkan' });
  expect(await once(child, 'message')).toMatchObject([{ type: 'loaded', gpu: 'vulkan' }]);
  child.send({ type: 'test', gpu: 'vulkan' });
  expect(await once(child, 'exit')).toEqual([7]);
  expect(child.exitCode).toBe(7);
});

it('ends a real one that is not wanted any more', async () => {
  const child = fork(trial);
  await once(child, 'message');
  child.send({ type: 'start', gpu: 'cuda' });
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
});

it('leaves every other process alone, and all of them afterwards', async () => {
  const other = fork(join(folder, 'other.js'));
  expect(other.pid).toBeGreaterThan(0);
  trustNoMore();
  const real = childProcess.fork(trial);
  expect(real.pid).toBeGreaterThan(0);
  for (const child of [other, real]) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

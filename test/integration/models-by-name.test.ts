import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NodeHost } from '../../src-main/app/node-host.ts';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let host: NodeHost;

beforeEach(async () => {
  folder = await temporaryFolder();
  const env = {
    QUARRY_THREADS: '1',
    GPU_LAYERS: '0',
    QUARRY_CONTEXT_SIZE: '512',
    QUARRY_ENGINE_KEEP_ALIVE_MINUTES: '0',
  };
  const flags = { dataDir: join(folder.path, 'data'), port: 0 };
  host = new NodeHost({ sources: { flags, env }, parts: () => ({ server: true }) });
  for (const [index, name] of ['one', 'two'].entries()) {
    const path = join(folder.path, `${name}.gguf`);
    await writeRandomModel(path, TINY_QWEN3, index + 1);
  }
  await host.open();
  for (const name of ['one', 'two']) await host.app?.library.import(join(folder.path, `${name}.gguf`));
});

afterEach(async () => {
  await host.close();
  await folder.remove();
});

const address = (path: string) => new URL(path, host.app?.server?.url);

async function answerOf(model: string) {
  const body = { model, max_tokens: 4, temperature: 0, messages: [{ role: 'user', content: 'Hello' }] };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(address('/v1/chat/completions'), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const { choices, error } = (await response.json()) as {
    choices?: [{ message: { content: string } }];
    error?: { code: string; message: string };
  };
  return { status: response.status, text: choices?.[0].message.content, error };
}

async function ask(model: string) {
  const { text, error } = await answerOf(model);
  return text ?? error?.code;
}

it('each model of the library answers by its name, several at a time, and is freed afterwards', async () => {
  const listed = (await (await fetch(address('/v1/models'))).json()) as { data: { id: string }[] };
  expect(listed.data.map(({ id }) => id)).toEqual(expect.arrayContaining(['one', 'two']));
  const [one, two, again] = await Promise.all([ask('one'), ask('two'), ask('one')]);
  expect(one).toBe(again);
  expect(one).not.toBe(two);
  await until(() => expect(host.app?.engine?.others?.loaded).toEqual([]));
  const memory = host.app?.models.memory;
  const used = await host.app?.engine?.others?.begin('two');
  expect(await memory?.list()).toMatchObject([
    { ...{ name: 'two', own: false, device: 'cpu', freesAt: null }, memory: { ram: expect.any(Number), vram: 0 } },
  ]);
  await expect(memory?.free('two')).rejects.toMatchObject({ code: 'BAD_REQUEST', retryable: true });
  used?.[Symbol.dispose]();
  await memory?.free('two');
  expect(await memory?.list()).toEqual([]);
  expect(await ask('three')).toBe('model_not_found');
});

it('says of a file that is no model, or not all of one, that it is so, and what to do', async () => {
  const models = join(folder.path, 'data', 'models');
  const whole = await readFile(join(folder.path, 'one.gguf'));
  await writeFile(join(models, 'junk.gguf'), 'no model at all '.repeat(1_000));
  await writeFile(join(models, 'empty.gguf'), '');
  await writeFile(join(models, 'cut.gguf'), whole.subarray(0, whole.length / 2));
  await writeFile(join(models, 'cut-header.gguf'), whole.subarray(0, 200));
  await symlink('/etc/passwd', join(models, 'linked.gguf'));
  for (const name of ['junk', 'empty', 'cut', 'cut-header', 'linked']) {
    const { status, error } = await answerOf(name);
    expect([name, status, error?.code]).toEqual([name, 422, 'model_invalid']);
    expect(error?.message).toMatch(/cannot be loaded: .+\. Download or copy the file again/);
    expect(error?.message).not.toContain('root:');
  }
  expect(await ask('one')).toEqual(expect.any(String));
});

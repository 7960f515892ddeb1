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

async function ask(model: string) {
  const body = { model, max_tokens: 4, temperature: 0, messages: [{ role: 'user', content: 'Hello' }] };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(address('/v1/chat/completions'), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { choices?: [{ message: { content: string } }]; error?: { code: string } };
  return answer.choices?.[0].message.content ?? answer.error?.code;
}

it('each model of the library answers by its name, several at a time, and is freed afterwards', async () => {
  const listed = (await (await fetch(address('/v1/models'))).json()) as { data: { id: string }[] };
  expect(listed.data.map(({ id }) => id)).toEqual(expect.arrayContaining(['one', 'two']));
  const [one, two, again] = await Promise.all([ask('one'), ask('two'), ask('one')]);
  expect(one).toBe(again);
  expect(one).not.toBe(two);
  await until(() => expect(host.app?.engine?.others?.loaded).toEqual([]));
  expect(await ask('three')).toBe('model_not_found');
});

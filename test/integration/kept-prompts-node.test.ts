import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ifMissing } from '../../src-main/base/swallowed.ts';
import { connect } from '../../src-main/client/client.ts';
import { ownToken, QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

/* A real node with the built-in model: whose instructions it keeps, and that they are of use after a restart. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: QuarryProcess;
let url = '';

beforeAll(async () => {
  folder = await temporaryFolder();
  await start();
});
afterAll(async () => {
  await node?.stop();
  await folder?.remove();
});

async function start(): Promise<void> {
  const args = ['start', '--headless', '--data', folder.path, '--bootstrap', '127.0.0.1:9', '--port', '0'];
  node = new QuarryProcess(args, { QUARRY_CONTEXT_SIZE: '2048', QUARRY_GPU_LAYERS: '0' });
  [, url = ''] = await node.printed(/api +(\S+)\/v1/);
}

const files = async () => (await readdir(join(folder.path, 'kept-prompts')).catch(ifMissing)) ?? [];
const instructions = (by: string) => `${by}. ${'The mesh is a peer, and a peer is a key. '.repeat(60)}`;

/** By a program. @returns tokens that were not read */
async function completed(by: string, apiKey: string, more: { store?: boolean } = {}): Promise<number | undefined> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
  const { usage } = await client.chat.completions.create({
    ...{ model: 'local', max_completion_tokens: 4, ...more },
    messages: [
      { role: 'system', content: instructions(by) },
      { role: 'user', content: 'What is Quarry?' },
    ],
  });
  return usage?.prompt_tokens_details?.cached_tokens;
}

/** Instructions of a conversation. */
async function talked(by: string, more: { private?: boolean }): Promise<void> {
  const client = await connect({ dataDir: folder.path });
  try {
    const { id } = await client.rpc.conversations.create({
      target: 'local',
      maxTokens: 4,
      system: instructions(by),
      ...more,
    });
    for await (const _ of await client.rpc.conversations.ask({ id, text: 'What is Quarry?' }));
  } finally {
    await client.close();
  }
}

it('keeps those of its own people and programs, and of nobody who wants none kept', async () => {
  const token = await ownToken(folder.path);
  await completed('Nobody knows whose', 'none');
  await completed('It stores nothing', token, { store: false });
  await talked('It is private', { private: true });
  expect(await files()).toEqual([]);
  expect(await completed('A program', token)).toBe(0);
  await until(async () => expect(await files()).toHaveLength(1));
  await talked('A conversation', {});
  await until(async () => expect(await files()).toHaveLength(2));
});

it('has them after a restart, tells what they take, and forgets them', async () => {
  await node.stop();
  await start();
  expect(await completed('A program', await ownToken(folder.path))).toBeGreaterThan(512);
  const disk = JSON.parse((await quarry(['models', 'disk', '--data', folder.path, '--json'])).stdout);
  expect(disk.prompts).toBeGreaterThan(1_000);
  const { stdout } = await quarry(['models', 'forget-prompts', '--data', folder.path]);
  expect(stdout).toMatch(/Removed .*B\./);
  expect(await files()).toEqual([]);
});

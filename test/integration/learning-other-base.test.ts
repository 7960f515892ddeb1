import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';
import { baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { writeAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import { TINY_MODEL_NAME } from '../../src-main/models/model-name.ts';
import type { Turn } from '../../src-preload/contract/conversations.ts';
import { type AxonNode, openAxonNode } from '../support/axon-node.ts';
import { TINY_MODEL } from '../support/engine.ts';
import { madeAdapter } from '../support/made-adapter.ts';

/** A node whose model is another one than that which `personal`, the adapter that is set, belongs to. */
let node: AxonNode;
let folder: string;
let api: OpenAI;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-other-base-'));
  node = await openAxonNode();
  api = new OpenAI({ baseURL: `${node.miner.server?.url}/v1`, apiKey: 'none', maxRetries: 0 });
  await takeIn('personal', TINY_MODEL, TINY_MODEL_NAME);
});
afterAll(async () => {
  await node?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const loadedModel = () => node.miner.engine?.slot.current?.engine?.modelPath ?? expect.fail('no model is loaded');

async function takeIn(adapter: string, modelPath: string, model: string): Promise<{ model: string }> {
  const path = join(folder, `${adapter}.gguf`);
  const shape = baseShape(await readModelHeader(modelPath));
  await writeAdapterGguf(path, madeAdapter(shape), shape);
  return await node.contract.learning.importVersion({ path, adapter, model, use: true });
}

async function talk(options: { model?: string } = {}): Promise<Turn> {
  const { id } = await node.contract.conversations.create({ target: 'local', maxTokens: 4, ...options });
  for await (const event of await node.contract.conversations.ask({ id, text: 'What is a mesh?' }))
    if (event.type === 'ended') {
      const { turns } = await node.contract.conversations.get({ id });
      return turns.at(-1) ?? expect.fail('no turn');
    }
  throw new Error('It never ended.');
}

const ask = (model: string) =>
  api.chat.completions.create({ model, max_completion_tokens: 2, messages: [{ role: 'user', content: 'Who?' }] });

describe('an adapter of another model than the one that is loaded', () => {
  it('is taken in for the model that is named, which is said', async () => {
    expect(await takeIn('named', TINY_MODEL, TINY_MODEL_NAME)).toMatchObject({ model: TINY_MODEL_NAME });
  });

  it('leaves questions that name no version to the model as it is', async () => {
    const { answer } = await talk();
    expect(answer).toMatchObject({ state: 'done', error: null });
    expect(answer).not.toHaveProperty('version');
    expect((await ask('local')).choices[0]?.message.content).not.toBe('');
  });

  it('is an error for who names it', async () => {
    for (const model of ['personal', 'personal@latest', 'personal@1'])
      await expect(ask(model)).rejects.toMatchObject({
        status: 400,
        code: 'adapter_invalid',
        message: /another model/,
      });
    const { answer } = await talk({ model: 'personal@1' });
    expect(answer).toMatchObject({ state: 'failed', error: { code: 'ADAPTER_INVALID' } });
  });

  it('is told as that', async () => {
    const { inUse } = await node.contract.learning.status();
    expect(inUse).toEqual({ version: null, belongsTo: TINY_MODEL_NAME });
  });
});

describe('an adapter of the model that is loaded', () => {
  it('answers where it is set, and the turn says which version did', async () => {
    await takeIn('own', loadedModel(), loadedModel());
    await node.contract.settings.set({ changes: { 'learning.adapter': 'own' } });
    expect((await node.contract.learning.status()).inUse).toEqual({ version: 'own@1', belongsTo: null });
    expect((await talk()).answer).toMatchObject({ state: 'done', version: 'own@1' });
    expect((await talk({ model: 'base' })).answer).not.toHaveProperty('version');
  });

  it('goes on answering when it is renamed', async () => {
    await node.contract.learning.rename({ adapter: 'own', name: 'mine' });
    expect(await node.contract.learning.status()).toMatchObject({ adapter: 'mine', inUse: { version: 'mine@1' } });
    expect((await talk()).answer).toMatchObject({ state: 'done', version: 'mine@1' });
  });

  it('is told of where it is taken in once more: what is shared of one is shared of both', async () => {
    const own = { path: join(folder, 'own.gguf'), model: loadedModel() };
    const twin = await node.contract.learning.importVersion({ ...own, adapter: 'twin' });
    expect(twin).toMatchObject({ name: 'twin', same: 'mine@1' });
  });

  it('rests when somebody says so, and then there is nothing to undo; one that is not there yet rests already', async () => {
    await node.contract.learning.rest({});
    expect((await node.contract.learning.status()).inUse.version).toBeNull();
    const undo = node.contract.learning.undo({});
    await expect(undo).rejects.toMatchObject({ data: { code: 'BAD_REQUEST', hint: expect.anything() } });
    await node.contract.settings.set({ changes: { 'learning.adapter': 'fresh' } });
    await node.contract.learning.rest({});
    const unknown = node.contract.learning.rest({ adapter: 'never' });
    await expect(unknown).rejects.toMatchObject({ data: { code: 'ADAPTER_NOT_FOUND' } });
  });
});

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { generate, tinyEngine } from '../support/engine.ts';
import { TestMesh } from '../support/test-mesh.ts';
import { until } from '../support/until.ts';

/* A real engine behind a real mesh: what it keeps on the disk of those who ask from elsewhere. */

let folder: string;
let engine: LocalBackend;
let mesh: TestMesh;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-kept-mesh-'));
  engine = tinyEngine({ contextSize: 4_096, keepPrompts: { folder, most: 1e9, forOthers: false } });
  await engine.open();
  mesh = await TestMesh.open();
});
afterAll(async () => {
  await mesh?.close();
  await engine?.close();
  await rm(folder, { recursive: true, force: true });
});

const instructed = (by: string): GenerateRequest => ({
  input: {
    messages: [
      { role: 'system', content: `${by}. ${'The mesh is a peer, and a peer is a key. '.repeat(60)}` },
      { role: 'user', content: 'What is Quarry?' },
    ],
  },
  maxTokens: 4,
});

it('nothing of what the mesh asks lies on the disk, and what this computer keeps is of no use to the mesh', async () => {
  const worker = await mesh.worker({}, { backend: engine });
  const { client } = await mesh.client([worker]);
  await Array.fromAsync(client.generate(instructed('A stranger')));
  expect(await readdir(folder)).toEqual([]);
  await generate(engine, instructed('The owner'), { keepPrompt: true });
  await until(async () => expect(await readdir(folder)).toEqual([expect.stringMatching(/\.state$/)]));
  for (let other = 0; other < 4; other++) await Array.fromAsync(client.generate(instructed(`Another ${other}`)));
  expect(await readdir(folder)).toHaveLength(1);
  const last = (await Array.fromAsync(client.generate(instructed('The owner')))).at(-1);
  expect(last?.type === 'done' && last.result.cachedTokens).toBeLessThan(100);
});

import { afterEach, expect, it, vi } from 'vitest';
import { loadOptions } from '../../../src-main/inference/host/local-options.ts';
import { inferenceSettings } from '../../../src-main/inference/inference-settings.ts';
import { generateCall } from '../../../src-main/inference/remote/openai-generate.ts';
import { MeshClient } from '../../../src-main/mesh/asking/client.ts';
import { MemoryClientCredits } from '../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../support/mesh-node.ts';
import { WirelessNetwork } from '../../support/wireless-peer.ts';
import { WirelessWorker } from '../../support/wireless-worker.ts';

const OTHERS = vi.hoisted(() => ({
  maxTokens: 11,
  temperature: 0.22,
  topP: 0.33,
  topK: 44,
  repeatPenalty: 1.5,
  contextSize: 6_666,
  parallel: 7,
}));

// Whoever had figures of its own would still answer with those.
vi.mock('../../../src-preload/contract/defaults.ts', () => ({ DEFAULTS: OTHERS }));

const request = { input: { prompt: 'Hi' } };
const open: { close(): void | Promise<void> }[] = [];

afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close();
});

it('the defaults of a request are the same at a remote server', () => {
  const { maxTokens: max_tokens, temperature, topP: top_p } = OTHERS;
  expect(generateCall('m', request).body).toMatchObject({ max_tokens, temperature, top_p });
});

it('and on the mesh, which is told the length alone', async () => {
  const worker = new WirelessWorker();
  const wireless = new WirelessNetwork();
  wireless.join(worker);
  const identity = randomIdentity();
  const credits = new MemoryClientCredits(identity);
  const client = new MeshClient({ network: wireless.network, identity, credits, log: testLog });
  open.push(client, worker);
  client.open();
  worker.beat();
  for await (const { type } of client.generate(request)) if (type === 'done') break;
  const prompt = worker.sent.find(({ type }) => type === 'prompt');
  expect(prompt).toMatchObject({ maxTokens: OTHERS.maxTokens, params: {} });
});

it('those of the settings are the same, and told as they are', () => {
  const { parallel, contextSize } = inferenceSettings.shape;
  expect(parallel.parse(undefined)).toBe(OTHERS.parallel);
  expect(contextSize.meta()).toMatchObject({ shownDefault: expect.stringContaining(String(OTHERS.contextSize)) });
});

it('those of a model are what its engine is started with', () => {
  const { contextSize, parallel } = OTHERS;
  expect(loadOptions({ modelPath: 'm.gguf', gpuLayers: 0, log: testLog })).toMatchObject({ contextSize, parallel });
});

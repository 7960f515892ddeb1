import pino from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { AxonMiners } from '../../src-main/app/validator/miners/axon-miners.ts';
import { EndpointMiners } from '../../src-main/app/validator/miners/endpoint-miners.ts';
import { ReferenceModel } from '../../src-main/app/validator/reference-model.ts';
import type { Neuron } from '../../src-main/bittensor/chain/metagraph.ts';
import { inferenceEnvironment } from '../../src-main/subnets/quasar/verification/inference-environment.ts';
import { pose } from '../../src-main/validation/challenge.ts';
import type { Environment } from '../../src-main/validation/environment.ts';
import type { Miner } from '../../src-main/validation/run/miner.ts';
import { examine } from '../support/asked-miner.ts';
import { type AxonNode, openAxonNode } from '../support/axon-node.ts';
import { testSigner } from '../support/bittensor-signer.ts';

/* A real node answers probes over HTTP and by its axon; its own model is what they are compared with. */

let node: AxonNode;
let environment: Environment;
beforeAll(async () => {
  node = await openAxonNode({ QUARRY_INFERENCE_PROBES: 'true' });
  await node.contract.axon.start();
  const { engine, audits } = node.miner;
  environment = inferenceEnvironment(new ReferenceModel({ engine, thresholds: audits.probeThresholds })) as Environment;
  await expect(environment.prepare?.()).rejects.toThrow('not known yet');
  await node.contract.audits.calibrate();
  for await (const { calibration } of await node.contract.audits.watch()) {
    if (calibration?.error) throw new Error(calibration.error.message);
    if (calibration?.state === 'done') break;
  }
});
afterAll(() => node?.[Symbol.asyncDispose]());

const url = (path: string) => `${node.miner.server?.url}${path}`;
const headers = () => ({ authorization: `Bearer ${node.token}`, 'content-type': 'application/json' });
const post = (body: unknown) =>
  fetch(url('/inference'), { method: 'POST', headers: headers(), body: JSON.stringify(body) });

async function overHttp(): Promise<Miner> {
  const list = async () => [{ name: 'm', url: url('/v1'), model: '', apiKey: node.token }];
  const miners = new EndpointMiners({ list, log: pino({ level: 'silent' }) });
  onTestFinished(() => miners.close());
  return (await miners.miners())[0]!;
}

async function onAxon(): Promise<Miner> {
  const { ip, port, hotkey } = node.place;
  const neurons = [{ uid: 5, hotkey, axon: { ip, port }, registeredAt: 7 }] as Neuron[];
  const signer = { ...(await testSigner('//Validator')), check: async () => {}, close: async () => {} };
  const miners = new AxonMiners({
    signer,
    committed: async () => ({ neurons, commitments: new Map() }),
    allowInside: true,
  });
  onTestFinished(() => miners.close());
  return (await miners.miners())[0]!;
}

it.each([
  ['over HTTP', overHttp],
  ['by its axon', onAxon],
])('a real node passes %s, at the speed that the validator measures', async (_, open) => {
  await environment.prepare?.();
  const challenge = await pose(environment, '64', 'of a real node');
  const patience = { maxTokens: 1, timeoutMs: 60_000, retries: 0 };
  const signal = new AbortController().signal;
  const told = await examine(challenge, await open(), patience, { signal, random: Math.random });
  expect(told).toMatchObject({ error: null, accuracy: 1, reason: { key: 'quasar.probe.audited' } });
  expect(told.score * 10_000).toBeCloseTo(64_000 / told.latencyMs, 1);
});

it('answers with what QUASAR’s validators read, and says what model it has', async () => {
  const response = await post({ prompt: [11, 12, 13], gen_len: 8, logits_at_step: 3, logits_at_steps: [3] });
  expect(response.status).toBe(200);
  const answer = (await response.json()) as Record<string, unknown[]>;
  const { vocabulary, sha256 } = node.miner.engine?.slot.status().model ?? {};
  expect(Object.keys(answer)).toEqual(['tokens', 'captured_logits', 'elapsed_sec', 'model_sha256', 'evidence']);
  expect(answer.tokens).toHaveLength(8);
  expect(answer.captured_logits).toHaveLength(vocabulary ?? 0);
  const info = (await (await fetch(url('/model_info'), { headers: headers() })).json()) as { model_name: string };
  expect(info).toMatchObject({
    ...{
      model_name: expect.any(String),
      vocab_size: vocabulary,
      device: 'cpu',
      dtype: expect.any(String),
      model_sha256: sha256,
    },
    model_config: {
      hidden_size: expect.any(Number),
      num_hidden_layers: expect.any(Number),
      num_attention_heads: expect.any(Number),
    },
  });
  const health = await (await fetch(url('/health'), { headers: headers() })).json();
  expect(health).toMatchObject({
    status: 'healthy',
    model_name: info.model_name,
    device: 'cpu',
    worker: expect.anything(),
  });
});

it.each<[string, unknown, string]>([
  ['no tokens', { prompt: [], gen_len: 8 }, 'prompt'],
  ['a text', { prompt: 'What?', gen_len: 8 }, 'prompt'],
  ['a token that there is not', { prompt: [1 << 30], gen_len: 8, logits_at_step: 1 }, 'prompt'],
  ['more than is ever asked', { prompt: [11], gen_len: 1e9 }, 'gen_len'],
  ['a step that there is not', { prompt: [11], gen_len: 8, logits_at_step: 9 }, 'logits_at_step'],
])('refuses %s in words', async (_, body, field) => {
  const response = await post(body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(field) } });
});

it('is for programs, and for no page of elsewhere', async () => {
  const origin = { ...headers(), origin: 'http://elsewhere.invalid' };
  expect((await fetch(url('/inference'), { method: 'POST', body: '{}', headers: origin })).status).toBe(403);
});

it('is not there while no model is loaded', async () => {
  await node.contract.node.stopMining();
  const response = await post({ prompt: [11], gen_len: 1, logits_at_step: 1 });
  expect(response.status).toBe(503);
  const health = await (await fetch(url('/health'), { headers: headers() })).json();
  expect(health).toMatchObject({ status: 'loading', model_name: null });
});

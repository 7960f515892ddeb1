import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { AxonMiners } from '../../src-main/app/validator/miners/axon-miners.ts';
import { meshMiners } from '../../src-main/app/validator/miners/mesh-miners.ts';
import type { Neuron } from '../../src-main/bittensor/chain/metagraph.ts';
import { identityFromSeed, verify } from '../../src-main/mesh/transport/identity.ts';
import { longContextEnvironments } from '../../src-main/subnets/quasar/asking/long-context.ts';
import { pose } from '../../src-main/validation/challenge.ts';
import { judgedOf } from '../../src-main/validation/judged.ts';
import { replay } from '../../src-main/validation/replay.ts';
import { signResult } from '../../src-main/validation/result.ts';
import type { Miner } from '../../src-main/validation/run/miner.ts';
import { examine } from '../support/asked-miner.ts';
import { type AxonNode, openAxonNode } from '../support/axon-node.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { until } from '../support/until.ts';

let node: AxonNode;
beforeAll(async () => {
  node = await openAxonNode({ QUARRY_CONTEXT_SIZE: '8192' });
  await node.contract.axon.start();
});
afterAll(() => node?.[Symbol.asyncDispose]());

/** Asks a miner about a long text, and looks whether what was signed of that is judged the same again. */
async function asked(miner: Miner) {
  const environments = longContextEnvironments();
  const environment = environments.get('quasar-two-hop')!;
  const challenge = await pose(environment, '1k', 'of a real node');
  const patience = { maxTokens: 8, timeoutMs: 60_000, retries: 0 };
  const told = await examine(challenge, miner, patience, { signal: new AbortController().signal, random: Math.random });
  const { answer, score, accuracy, reason, attempts, latencyMs, firstByteMs } = told;
  const { environment: name, version: environmentVersion, level, seed, id: challengeId } = challenge;
  const outcome = { answer, score, accuracy, reason, error: null, attempts, latencyMs, firstByteMs };
  const posed = { environment: name, environmentVersion, level, seed, challengeId };
  const who = { miner: miner.id, model: miner.model, revision: '', uid: miner.uid, block: miner.block };
  const result = signResult(judgedOf(posed, who, outcome, Date.now()), identityFromSeed(Buffer.alloc(32, 7)));
  expect(await replay(result, environments, verify)).toMatchObject({ verdict: 'same', answer, firstByteMs });
  return told;
}

const answered = { answer: expect.stringMatching(/./), error: null, accuracy: 0, score: 0 };

/** Its axon, as a validator of this key finds it on the chain. */
async function onAxon(uri: string): Promise<Miner> {
  const { ip, port, hotkey } = node.place;
  const neurons = [{ uid: 5, hotkey, axon: { ip, port }, registeredAt: 7 }] as Neuron[];
  const signer = { ...(await testSigner(uri)), check: async () => {}, close: async () => {} };
  const committed = async () => ({ neurons, commitments: new Map() });
  const miners = new AxonMiners({ signer, committed, allowInside: true });
  onTestFinished(() => miners.close());
  const [miner] = await miners.miners();
  return miner!;
}

it('a real node answers about a long text by its axon, as QUASAR asks', async () => {
  const { firstByteMs = Number.NaN, latencyMs, ...told } = await asked(await onAxon('//Validator'));
  expect(told).toMatchObject(answered);
  expect(firstByteMs).toBeGreaterThan(0);
  expect(latencyMs).toBeGreaterThanOrEqual(firstByteMs);
});

it('and on the mesh', async () => {
  const mesh = (await node.client()).mesh!.client;
  await until(() => expect(mesh.workers()[0]?.status?.ready).toBe(true));
  const [miner] = meshMiners(mesh);
  const { firstByteMs = Number.NaN, latencyMs, ...told } = await asked(miner!);
  expect(told).toMatchObject(answered);
  expect(firstByteMs).toBeGreaterThan(0);
  expect(latencyMs).toBeGreaterThanOrEqual(firstByteMs);
});

it('what it has no room for it refuses in words, and that is worth nothing', async () => {
  const challenge = await pose(longContextEnvironments().get('quasar-needle')!, '32k', 'too long');
  const patience = { maxTokens: 8, timeoutMs: 60_000, retries: 0 };
  const options = { signal: new AbortController().signal, random: Math.random };
  expect(await examine(challenge, await onAxon('//Other'), patience, options)).toMatchObject({
    ...{ answer: null, score: 0 },
    error: { message: expect.stringMatching(/did not answer: 400 .*tokens/), retryable: false },
  });
});

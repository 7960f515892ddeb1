import { afterAll, beforeAll, expect, it } from 'vitest';
import { AxonMiners } from '../../src-main/app/validator/miners/axon-miners.ts';
import type { Neuron } from '../../src-main/bittensor/chain/metagraph.ts';
import { type AxonNode, openAxonNode } from '../support/axon-node.ts';
import { testSigner } from '../support/bittensor-signer.ts';

/* A real node without models of clips: it knows what it would be asked, hands in nothing, and says why. */

let node: AxonNode;
beforeAll(async () => {
  node = await openAxonNode();
  await node.contract.axon.start();
});
afterAll(() => node?.[Symbol.asyncDispose]());

it('answers validators of OMEGA that it has no clips now, and when to come again is theirs to choose', async () => {
  const { ip, port, hotkey } = node.place;
  const neurons = [{ uid: 5, hotkey, axon: { ip, port }, registeredAt: 7 }] as Neuron[];
  const signer = { ...(await testSigner('//Validator')), check: async () => {}, close: async () => {} };
  const committed = async () => ({ neurons, commitments: new Map() });
  const miners = new AxonMiners({ signer, committed, allowInside: true });
  const [miner] = await miners.miners();
  const wanted = { of: 'videos', topic: 'owls', count: 8 } as const;
  const asked = { id: 'q', prompt: 'owls', ask: { kind: 'clips', wanted } as const, maxTokens: 1, timeoutMs: 20_000 };
  const told = miner!.ask({ ...asked, signal: new AbortController().signal });
  await expect(told).rejects.toMatchObject({ code: 'WORKER_LOST', message: expect.stringMatching(/503/) });
  await miners.close();
});

it('knows both environments, and asks nothing of them without models', async () => {
  const known = await node.contract.validator.environments();
  expect(known.filter(({ name }) => name.startsWith('omega-'))).toEqual([
    { name: 'omega-videos', version: '2', levels: ['usual'], isUsual: false },
    { name: 'omega-sounds', version: '3', levels: ['usual'], isUsual: false },
  ]);
  const events = node.contract.validator.practise({ environments: ['omega-videos'], samples: 1 });
  await expect(Array.fromAsync(await events)).rejects.toThrow('There are no models here');
});

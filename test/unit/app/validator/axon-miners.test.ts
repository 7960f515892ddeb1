import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { AxonMiners } from '../../../../src-main/app/validator/miners/axon-miners.ts';
import { serve } from '../../../../src-main/bittensor/axon/served-synapse.ts';
import type { Neuron } from '../../../../src-main/bittensor/chain/metagraph.ts';
import { PROMPTING } from '../../../../src-main/bittensor/synapse/prompting.ts';
import { sat } from '../../../../src-main/subnets/affine/sat/sat.ts';
import { readClips } from '../../../../src-main/subnets/omega/clips/synapse/handed-in.ts';
import { serveVideos } from '../../../../src-main/subnets/omega/clips/synapse/serve-clips.ts';
import { longContextEnvironments } from '../../../../src-main/subnets/quasar/asking/long-context.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';
import { NotReached, type Question } from '../../../../src-main/validation/run/miner.ts';
import { examine } from '../../../support/asked-miner.ts';
import { testAxon } from '../../../support/bittensor-axon.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';
import { freePort } from '../../../support/free-port.ts';
import { solve } from '../../../support/solver.ts';

const ATTEMPT = { signal: new AbortController().signal, random: Math.random };
const NOW = Date.now();
const PATIENCE = { maxTokens: 100, timeoutMs: 10_000, retries: 0 };

/** An axon of a subnet, and whoever asks it as its validator. */
async function subnet(answer: (prompt: string) => string, { allowInside = true, commits = false } = {}) {
  const handler = serve(PROMPTING, (asked) => ({ ...asked, completion: answer(asked.messages.at(-1) ?? '') }));
  const { place } = await testAxon({ synapses: [handler] });
  const signer = await testSigner('//Dendrite');
  const { ip, port, hotkey } = place;
  const neurons = [
    { uid: 0, hotkey: signer.address, axon: { ip, port }, registeredAt: 1 },
    { uid: 5, hotkey, axon: { ip, port }, registeredAt: 77 },
    { uid: 6, hotkey: 'serves nothing', axon: undefined, registeredAt: 78 },
  ] as Neuron[];
  const said = JSON.stringify({ model: 'someone/a-model', revision: 'main', chute_id: 'c' });
  const commitments = new Map([[hotkey, { block: 120, data: [Buffer.from(said)] }]]);
  const committed = async () => ({ neurons, commitments: commits ? commitments : new Map() });
  const miners = new AxonMiners({
    signer: { ...signer, check: async () => {}, close: async () => {} },
    committed,
    allowInside,
  });
  onTestFinished(() => miners.close());
  return { miners, hotkey, neurons };
}

/** Whatever is at a port, as a miner. */
async function minerAt(port: number, hotkey = 'a miner') {
  const signer = await testSigner('//Dendrite');
  const neurons = [{ uid: 5, hotkey, axon: { ip: '127.0.0.1', port }, registeredAt: 77 }] as Neuron[];
  const committed = async () => ({ neurons, commitments: new Map() });
  const miners = new AxonMiners({
    signer: { ...signer, check: async () => {}, close: async () => {} },
    committed,
    allowInside: true,
  });
  onTestFinished(() => miners.close());
  const [miner] = await miners.miners();
  return miner!;
}

/** What comes of a challenge that is asked of whatever is at a port. */
const examinedAt = async (port: number) =>
  examine(await pose(sat, 'easy', 'a seed'), await minerAt(port), PATIENCE, ATTEMPT);

it('asks all who serve an axon but itself, as the subnet is told', async () => {
  const { miners, hotkey, neurons } = await subnet(solve);
  const [miner, ...others] = await miners.miners();
  expect(others).toEqual([]);
  expect(miner).toMatchObject({ id: hotkey, kind: 'axon', uid: 5, block: 77 });
  const challenge = await pose(sat, 'easy', 'a seed');
  expect(await examine(challenge, miner!, PATIENCE, ATTEMPT)).toMatchObject({ score: 1, error: null });
  neurons.splice(0);
  expect(await miners.miners()).toEqual([]);
});

it('says of which model an axon is, and since when, by what it has committed to', async () => {
  const [silent] = await (await subnet(solve)).miners.miners();
  expect(silent).toMatchObject({ block: 77, model: '', revision: '' });
  const [miner] = await (await subnet(solve, { commits: true })).miners.miners();
  expect(miner).toMatchObject({ block: 120, model: 'someone/a-model', revision: 'main' });
});

it('says why an axon gave no answer, and asks none in its own network unless that is wanted', async () => {
  const challenge = await pose(sat, 'easy', 'a seed');
  const failing = await subnet(() => {
    throw new Error('no model');
  });
  const [broken] = await failing.miners.miners();
  const told = await examine(challenge, broken!, PATIENCE, ATTEMPT);
  expect(told).toMatchObject({
    answer: null,
    error: { code: 'WORKER_LOST', message: expect.stringMatching(/did not answer: 500/) },
  });
  expect(told.error).not.toBeInstanceOf(NotReached);
  const { miners } = await subnet(solve, { allowInside: false });
  const [inside] = await miners.miners();
  expect((await examine(challenge, inside!, PATIENCE, ATTEMPT)).error).toBeInstanceOf(NotReached);
});

it.each([
  ['in seconds', '90', 'application/json', 90_000],
  ['by a date', new Date(NOW + 120_000).toUTCString(), 'text/html', expect.toSatisfy((ms) => ms > 60_000)],
  ['not at all', undefined, 'application/json', undefined],
])('passes on for how long an axon wants to be left alone, %s', async (_, value, type, retryAfterMs) => {
  const server = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(429, { 'content-type': type, ...(value && { 'retry-after': value }) }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const told = await examinedAt((server.address() as AddressInfo).port);
  expect(told).toMatchObject({ answer: null, score: 0, error: { retryable: true, retryAfterMs } });
  expect(told.error).not.toBeInstanceOf(NotReached);
});

it('knows an axon that is not there from one that hangs up on a question', async () => {
  expect((await examinedAt(await freePort())).error).toBeInstanceOf(NotReached);
  const server = createServer((socket) => socket.once('data', () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const hungUp = await examinedAt((server.address() as AddressInfo).port);
  expect(hungUp).toMatchObject({ answer: null, error: { code: 'WORKER_LOST' } });
  expect(hungUp.error).not.toBeInstanceOf(NotReached);
});

it('asks about a long text as QUASAR does, and takes the times of first and last byte itself', async () => {
  const asked: Record<string, unknown>[] = [];
  let goOn = () => {};
  const server = createHttpServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://axon');
    const question = (await json(request)) as Record<string, unknown>;
    asked.push({ pathname, ...question });
    const body = JSON.stringify({ ...question, response: 'Nothing.', processing_time: 0.000_001, f1_score: 1 });
    response.writeHead(200, { 'content-type': 'application/json', bt_header_axon_status_code: '200' });
    response.write(body.slice(0, 1));
    goOn = () => response.end(body.slice(1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const environment = longContextEnvironments().get('quasar-needle')!;
  const miner = await minerAt((server.address() as AddressInfo).port);
  const challenge = await pose(environment, '1k', 'a seed');
  const first = Promise.withResolvers<void>();
  let firstAt = 0;
  const watched = {
    ...miner,
    ask: (question: Question) =>
      miner.ask({
        ...question,
        onFirstByte() {
          firstAt = performance.now(); // before the product looks: whatever comes between the two counts for both
          question.onFirstByte?.();
          first.resolve();
        },
      }),
  };
  const told = examine(challenge, watched, PATIENCE, ATTEMPT);
  await first.promise; // and the rest is still with the axon
  goOn();
  const { answer, score, firstByteMs = Number.NaN, latencyMs } = await told;
  expect([answer, score]).toEqual(['Nothing.', 0]);
  expect(firstByteMs).toBeGreaterThanOrEqual(0);
  expect(latencyMs - firstByteMs).toBeLessThanOrEqual(performance.now() - firstAt + 1);
  expect(latencyMs).toBeGreaterThanOrEqual(firstByteMs);
  const { id, ask: way } = challenge;
  if (way.kind !== 'longText') throw new Error(way.kind);
  expect(asked).toMatchObject([
    {
      ...{ pathname: '/BenchmarkEvaluationSynapse', task_id: id, task_type: 'needle_haystack', max_tokens: 100 },
      ...{ dataset_name: 'needle', context: way.text.context, prompt: way.text.question },
    },
  ]);
  for (const secret of ['expected_output', 'benchmark_seed']) expect(asked[0]).not.toHaveProperty(secret);
});

it('asks for clips as OMEGA does, and hands on what came of them', async () => {
  const numbers = Float32Array.from({ length: 512 }, (_, at) => Math.sin(at + 1));
  const owl = {
    ...{ source: 'commons' as const, id: 'File:Owl.webm', from: 1.5, to: 20, space: 'a@1', licence: 'by' as const },
    ...{ attribution: 'Somebody', page: null, description: 'An owl.', seen: numbers, heard: null, described: numbers },
  };
  const asked: unknown[] = [];
  const served = serveVideos({
    async videos({ topic, count, asker }) {
      asked.push({ topic, count, asker });
      return [owl];
    },
  });
  const { place } = await testAxon({ synapses: [served] });
  const miner = await minerAt(place.port, place.hotkey);
  const wanted = { of: 'videos', topic: 'owls', count: 8 } as const;
  const question = { id: 'q', prompt: 'owls', ask: { kind: 'clips', wanted } as const, ...PATIENCE, ...ATTEMPT };
  const told = readClips(await miner.ask(question));
  expect(told).toMatchObject([
    { video: { source: 'commons', id: 'File:Owl.webm' }, from: 1.5, description: 'An owl.' },
  ]);
  expect(asked).toEqual([{ topic: 'owls', count: 8, asker: (await testSigner('//Dendrite')).address }]);
});

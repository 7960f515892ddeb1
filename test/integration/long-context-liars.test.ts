import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { KnownEnvironments } from '../../src-main/app/validator/known-environments.ts';
import { AxonMiners } from '../../src-main/app/validator/miners/axon-miners.ts';
import { chainWeights } from '../../src-main/app/validator/weights-in-force.ts';
import { serve } from '../../src-main/bittensor/axon/served-synapse.ts';
import type { Neuron } from '../../src-main/bittensor/chain/metagraph.ts';
import { defineSynapse } from '../../src-main/bittensor/synapse/synapse.ts';
import { identityFromSeed, verify } from '../../src-main/mesh/transport/identity.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { longContextEnvironments } from '../../src-main/subnets/quasar/asking/long-context.ts';
import type { Environment } from '../../src-main/validation/environment.ts';
import { GenuineResults } from '../../src-main/validation/genuine-results.ts';
import { replay } from '../../src-main/validation/replay.ts';
import { readResult } from '../../src-main/validation/result.ts';
import { ValidatorRun } from '../../src-main/validation/run/validator-run.ts';
import { validatorSettings } from '../../src-main/validation/validator-settings.ts';
import { testAxon } from '../support/bittensor-axon.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { knowing } from '../support/knowing.ts';
import { NO_REFERENCE } from '../support/no-reference.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

/** The fewest with which anybody is ranked at home. */
const EACH = 30;
const ASKED = ['quasar-needles', 'quasar-two-hop'];
const log = pino({ level: 'silent' });
const identity = identityFromSeed(Buffer.alloc(32, 7));

/** As QUASAR has it, with what its miners say of themselves. */
const CLAIMING = defineSynapse({
  name: 'BenchmarkEvaluationSynapse',
  fields: {
    ...{
      task_id: z.string(),
      task_type: z.string(),
      dataset_name: z.string(),
      context: z.string(),
      prompt: z.string(),
    },
    ...{ response: z.string().default(''), processing_time: z.number().default(0) },
    ...{ f1_score: z.number().default(0), exact_match_score: z.number().default(0) },
    ...{ needle_retrieval_score: z.number().default(0), tokens_per_second: z.number().default(0) },
  },
});
const CLAIMS = {
  ...{ f1_score: 1, exact_match_score: 1, needle_retrieval_score: 1 },
  ...{ tokens_per_second: 1_000_000, processing_time: 0.000_001 },
};
type Answering = (question: string, signal: AbortSignal) => string | Promise<string>;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let results: ResultsDb;
beforeAll(async () => {
  folder = await temporaryFolder();
  results = new ResultsDb({ dataDir: folder.path });
  await results.open();
});
afterAll(async () => {
  await results?.close();
  await folder?.remove();
});

/** Whatever it answers, it claims to be the best there is, and the fastest. */
async function neuron(uid: number, name: string, answering: Answering): Promise<Neuron> {
  const { address: hotkey } = await testSigner(`//${name}`);
  const many = { perSecond: 10_000, burst: 10_000 };
  const { place } = await testAxon({
    hotkey,
    limits: { perAddress: many, perHotkey: many },
    synapses: [
      serve(CLAIMING, async ({ prompt }, _, signal) => ({ ...CLAIMS, response: await answering(prompt, signal) })),
    ],
  });
  return { uid, hotkey, axon: { ip: place.ip, port: place.port }, registeredAt: uid } as Neuron;
}

it('pays who reads, and nobody who only says so: copied claims, copied answers, garbage and late ones are worth nothing', async () => {
  const posing = ASKED.map((name) => knowing(longContextEnvironments().get(name)!));
  const answerOf = (question: string) => posing.map((one) => one.answerOf(question)).join('');
  let last = '';
  const honest = await neuron(5, 'Honest', (question) => {
    last = answerOf(question);
    return last;
  });
  const claimer = await neuron(1, 'Claimer', () => 'I have found it, with an exact match of 1.0.');
  const copier = await neuron(2, 'Copier', () => last);
  const babbler = await neuron(3, 'Babbler', () => 'lorem 123456 ipsum '.repeat(5_000));
  const late = await neuron(4, 'Late', async (question, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return answerOf(question);
  });
  const inTime = [honest, claimer, copier, babbler];
  const signer = { ...(await testSigner('//Validator')), check: async () => {}, close: async () => {} };

  /** Asks these until it is enough. */
  const asked = async (neurons: Neuron[], timeoutMs: number, enough: (run: ValidatorRun) => void | Promise<void>) => {
    const committed = async () => ({ neurons, commitments: new Map() });
    const miners = new AxonMiners({ signer, committed, allowInside: true });
    const run = new ValidatorRun({
      results,
      miners: () => miners.miners(),
      settings: () => ({
        environments: posing.map(({ environment }) => ({ environment, level: '1k' })),
        ...{ concurrency: 12, perMiner: 2, perHour: 1_000_000, days: 30, keepDays: 90, trust: [] },
        ...{ maxTokens: 100, timeoutMs, retries: 0 },
      }),
      environmentOf: (name) => posing.find(({ environment }) => environment.name === name)?.environment,
      ...{ signer: identity, verify, graceMs: 0, log },
    });
    run.open();
    await until(() => enough(run));
    await run.close();
    await miners.close();
  };
  // Nobody but who means to is late, however busy this machine is.
  await asked(inTime, 120_000, async () => {
    const means = await results.means(0, { signers: [identity.id] });
    expect(means.filter(({ count }) => count >= EACH)).toHaveLength(inTime.length * ASKED.length);
  });
  await asked([late], 200, (run) => expect(run.tallies.read(late.hotkey).failed).toBeGreaterThan(0));

  const environments: ReadonlyMap<string, Environment> = longContextEnvironments();
  for await (const result of results.export()) {
    const read = readResult(result, verify);
    const isRight = result.miner === honest.hotkey;
    expect(read?.accuracy ?? 0).toBe(result.score);
    if (isRight) expect(result.score).toBe(1);
    expect(result.success).toBe(result.miner !== late.hotkey);
    // Whatever it claims, the time is this validator's.
    if (result.success) expect(read?.firstByteMs).toBeGreaterThanOrEqual(0);
    expect(read?.firstByteMs ?? 0).toBeLessThanOrEqual(result.latencyMs);
    expect(result.payload).not.toMatch(/f1_score|tokens_per_second|1000000\b/);
    const { verdict, prompt } = await replay(result, environments, verify);
    // What is worth nothing is kept to its beginning; all else is judged the same, years later.
    expect(verdict).toBe(result.miner === babbler.hotkey ? 'cut' : 'same');
    expect(prompt).toMatch(/^Read this text\. [\s\S]{3000,}and nothing else\.$/);
  }

  // Of a saying, whoever says just anything has a word now and then.
  for (const { miner, mean } of await results.means(0, { signers: [identity.id] })) {
    if (miner !== honest.hotkey) expect(mean).toBeLessThan(0.15);
  }

  const settings = validatorSettings.shape.validator.parse({
    ...{ environments: ASKED, level: '1k', preset: 'home', netuid: 3 },
  });
  const everybody = async () => ({ neurons: [...inTime, late], commitments: new Map() });
  const known = new KnownEnvironments(
    { run: () => Promise.reject(new Error('nothing runs')) },
    async () => results,
    NO_REFERENCE,
  );
  const { shares } = await chainWeights(
    {
      results,
      known,
      settings: () => settings,
      own: identity.id,
      committed: everybody,
      genuine: new GenuineResults(verify),
    },
    3,
  );
  expect(shares.get(honest.hotkey)).toBeCloseTo(1, 5);
  for (const { hotkey } of [claimer, copier, babbler, late]) expect(shares.get(hotkey) ?? 0).toBeCloseTo(0, 5);
});

import { expect, it } from 'vitest';
import { identityFromSeed, verify } from '../../../../../src-main/mesh/transport/identity.ts';
import {
  inferenceEnvironment,
  type ReferenceSource,
} from '../../../../../src-main/subnets/quasar/verification/inference-environment.ts';
import { drawProbe, PROBE_LEVELS } from '../../../../../src-main/subnets/quasar/verification/probe.ts';
import { pose } from '../../../../../src-main/validation/challenge.ts';
import type { Environment } from '../../../../../src-main/validation/environment.ts';
import { judgedOf } from '../../../../../src-main/validation/judged.ts';
import { replay } from '../../../../../src-main/validation/replay.ts';
import { signResult } from '../../../../../src-main/validation/result.ts';
import { ask, judge } from '../../../../../src-main/validation/run/examine.ts';
import { SeededRandom } from '../../../../../src-main/validation/seeded-random.ts';
import { minerOf } from '../../../../support/asked-miner.ts';

const VOCABULARY = 1_000;
const LOGITS = Float32Array.from({ length: VOCABULARY }, (_, token) => 0.1 + (token % 13));

/** A model to which everything is as likely as can be. */
function source(sha256 = 'ab'.repeat(32)) {
  const state = { sha256, inUse: 0 };
  const reference: ReferenceSource = {
    get known() {
      return { sha256: state.sha256, vocabulary: VOCABULARY };
    },
    async use() {
      state.inUse++;
      return {
        ...{ sha256: state.sha256, vocabulary: VOCABULARY, thresholds: undefined },
        probe: async ({ said = [] }) => ({
          ...{ tokens: [...said], logits: LOGITS },
          evidence: said.map((id) => ({ id, logprob: -1, top: [[id, -1]] })),
        }),
        [Symbol.dispose]: () => void state.inUse--,
      };
    },
  };
  return { state, environment: inferenceEnvironment(reference) as Environment };
}

const posed = (environment: Environment, seed = 'a seed', level = '64') => pose(environment, level, seed);

const honest = (length: number, more = {}) =>
  JSON.stringify({ tokens: Array(length).fill(5), captured_logits: [...LOGITS], elapsed_sec: 2, ...more });

it('draws tokens that a vocabulary has, the same from the same seed, and a step of which each is possible', () => {
  for (const level of PROBE_LEVELS) {
    const drawn = Array.from({ length: 300 }, (_, seed) => drawProbe(new SeededRandom(`${seed}`), level, 50));
    expect(drawn[7]).toEqual(drawProbe(new SeededRandom('7'), level, 50));
    const length = level === 'classic' ? 512 : Number(level);
    expect(new Set(drawn.map((probe) => probe.length))).toEqual(new Set([length]));
    for (const { prompt } of drawn) expect(prompt).toHaveLength(128);
    const all = drawn.flatMap(({ prompt }) => prompt);
    expect([Math.min(...all), Math.max(...all)]).toEqual([10, 49]);
    const steps = drawn.map(({ captureAt }) => captureAt);
    const last = level === 'classic' ? 50 : length;
    expect(Math.min(...steps)).toBeLessThan(1 + last / 20);
    expect(Math.max(...steps)).toBeGreaterThan(last - last / 20);
    expect(Math.max(...steps)).toBeLessThanOrEqual(last);
  }
});

it('is scored by the validator’s clock, whatever the miner says that it took', async () => {
  const { environment, state } = source();
  const challenge = await posed(environment);
  const { ask: way } = challenge;
  if (way.kind !== 'tokens') throw new Error(way.kind);
  const { prompt, captureAt } = way.probe;
  expect(JSON.parse(challenge.prompt)).toEqual({ prompt, gen_len: 64, logits_at_step: captureAt });
  for (const elapsed_sec of [0, 1e-9, -1, 2, 1e9, 'soon', undefined])
    expect(await challenge.judge(honest(64, { elapsed_sec }), { latencyMs: 640 })).toMatchObject({
      score: 0.01,
      accuracy: 1,
    });
  expect(await challenge.judge(honest(64), { latencyMs: 1 })).toMatchObject({ score: 1 });
  expect(await challenge.judge(honest(64))).toMatchObject({ score: 0, accuracy: 1 });
  expect(state.inUse).toBe(0);
});

it('an answer to another probe is worth nothing', async () => {
  const { environment } = source();
  const challenge = await posed(environment);
  expect(await challenge.judge(honest(65), { latencyMs: 10 })).toMatchObject({
    score: 0,
    accuracy: 0,
    reason: { key: 'quasar.probe.shape' },
  });
});

it('is about one file: another is another version, and judges nothing of what was asked before', async () => {
  const { environment, state } = source();
  const challenge = await posed(environment);
  expect(challenge.version).toBe('1.abababababab');
  state.sha256 = 'cd'.repeat(32);
  expect(environment.version).toBe('1.cdcdcdcdcdcd');
  await expect(challenge.judge(honest(64), { latencyMs: 10 })).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    retryable: true,
  });
});

it('nothing is posed before somebody has looked which model there is', async () => {
  const { environment: loaded } = source();
  let isKnown = false;
  const environment = inferenceEnvironment({
    get known() {
      return isKnown ? { sha256: 'ab'.repeat(32), vocabulary: VOCABULARY } : undefined;
    },
    use: async () => {
      isKnown = true;
      return { sha256: '', vocabulary: 0, thresholds: undefined, probe: Promise.reject, [Symbol.dispose]() {} };
    },
  }) as Environment;
  expect(environment.version).toBe('1');
  await expect(posed(environment)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', retryable: true });
  expect((await posed(environment)).id).toBe((await posed(loaded)).id);
});

it('is kept with its tokens, signed, and told as cut off when it is looked at again', async () => {
  const { environment } = source();
  const challenge = await posed(environment);
  const text = honest(64);
  const patience = { maxTokens: 1, timeoutMs: 1_000, retries: 0 };
  const miner = minerOf('one', async ({ ask: way }) => (way.kind === 'tokens' ? text : 'no probe'));
  const answered = await ask(challenge, miner, patience, { signal: new AbortController().signal, random: Math.random });
  const { answer, score, accuracy, keeps, reason, attempts } = await judge(
    challenge,
    { ...answered, latencyMs: 640 },
    {},
  );
  const { environment: name, version: environmentVersion, level, seed, id: challengeId } = challenge;
  const about = { environment: name, environmentVersion, level, seed, challengeId };
  const outcome = { answer, score, accuracy, keeps, reason, error: null, attempts, latencyMs: 640 };
  const who = { miner: 'one', model: '', revision: '', uid: null, block: null };
  const result = signResult(judgedOf(about, who, outcome, 1), identityFromSeed(Buffer.alloc(32, 7)));
  expect(result.score).toBe(0.01);
  expect(result.payload.length).toBeLessThan(6_000);
  const environments = new Map([[environment.name, environment]]);
  expect(await replay(result, environments, verify)).toMatchObject({
    verdict: 'cut',
    answerLength: text.length,
    answer: expect.stringMatching(/^\{"tokens":\[5,5,/),
  });
});

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ProbeRequest } from '../../src-main/inference/backend.ts';
import { EVIDENCE_TOP, PROBE_TOP } from '../../src-main/inference/evidence.ts';
import { honestProbes } from '../../src-main/inference/verified/honest-probes.ts';
import { thresholdsOfWhole } from '../../src-main/inference/verified/thresholds.ts';
import { generate, SLOW, tinyEngine } from '../support/engine.ts';

const engine = tinyEngine();
beforeAll(() => engine.open());
afterAll(() => engine.close());

const PROBE: ProbeRequest = { prompt: [11, 300, 42, 77, 12, 200], length: 40, captureAt: 7 };
const best = (logits: Float32Array) => logits.reduce((at, logit, token) => (logit > (logits[at] ?? 0) ? token : at), 0);

describe('a probe of bare tokens', () => {
  it('is gone on with by the likeliest each time, with the logits of one step', async () => {
    const { tokens, logits, evidence } = await engine.probe(PROBE);
    expect(tokens).toHaveLength(40);
    expect(evidence).toEqual([]);
    expect(logits).toHaveLength(engine.status().model?.vocabulary ?? 0);
    expect(best(logits)).toBe(tokens[PROBE.captureAt - 1]);
    // What stands before it changes what comes: the first of another probe's steps is not the seventh of this one.
    const first = await engine.probe({ ...PROBE, captureAt: 1 });
    expect(first.tokens).toEqual(tokens);
    expect(best(first.logits)).toBe(tokens[0]);
    expect(first.logits).not.toEqual(logits);
  });

  it('is read again by whoever has the model', async () => {
    const { tokens, logits, evidence } = await engine.probe(PROBE, { evidence: true });
    const read = await engine.probe({ ...PROBE, said: tokens });
    expect(read.tokens).toEqual(tokens);
    for (const [at, logit] of logits.entries()) expect(read.logits[at]).toBeCloseTo(logit, 2);
    expect(evidence.map(({ id }) => id)).toEqual(tokens);
    for (const [at, { logprob, top }] of evidence.entries()) {
      expect(top).toHaveLength(EVIDENCE_TOP);
      expect(read.evidence[at]?.top).toHaveLength(PROBE_TOP);
      expect(read.evidence[at]?.logprob).toBeCloseTo(logprob, 2);
    }
  });

  it('shows where somebody else’s tokens are not what it would have chosen', async () => {
    const { tokens } = await engine.probe(PROBE);
    const said = tokens.map((token, place) => (place === 3 ? (token + 1) % 400 : token));
    const { evidence } = await engine.probe({ ...PROBE, said });
    const below = evidence.map(({ logprob, top }) => (top[0]?.[1] ?? 0) - logprob);
    expect(below[3]).toBeGreaterThan(0.1);
    expect(Math.max(...below.slice(0, 3))).toBeLessThan(0.01);
  });

  it('does not end with what ends an answer', async () => {
    const { endToken = 0 } = engine.status().model ?? {};
    const said = Array<number>(5).fill(endToken);
    expect((await engine.probe({ ...PROBE, length: 5, captureAt: 5, said })).tokens).toEqual(said);
  });

  it.each<[string, Partial<ProbeRequest>, object]>([
    ['a token that the vocabulary does not have', { prompt: [11, 1 << 30] }, { code: 'BAD_REQUEST', field: 'prompt' }],
    ['one that somebody says', { length: 1, captureAt: 1, said: [1 << 30] }, { code: 'BAD_REQUEST', field: 'said' }],
    ['no prompt', { prompt: [] }, { code: 'BAD_REQUEST', field: 'prompt' }],
    ['a prompt without an end', { prompt: Array(5_000).fill(11) }, { code: 'BAD_REQUEST', field: 'prompt' }],
    ['a step that there is not', { captureAt: 41 }, { code: 'BAD_REQUEST', field: 'captureAt' }],
    ['fewer tokens than are said', { said: [1, 2] }, { code: 'BAD_REQUEST', field: 'said' }],
    ['more than the context holds', { length: 2_000 }, { code: 'CONTEXT_TOO_LONG' }],
  ])('refuses %s', async (_, more, error) => {
    await expect(engine.probe({ ...PROBE, ...more })).rejects.toMatchObject(error);
  });

  it('leaves the engine as it was: answers come beside it, and it ends when nobody waits', async () => {
    engine.setSpeed(SLOW);
    onTestFinished(() => engine.setSpeed(1));
    const ending = new AbortController();
    const long = engine.probe({ ...PROBE, length: 900, captureAt: 900 }, { signal: ending.signal });
    const answer = await generate(engine, { input: { prompt: 'A' }, maxTokens: 5 });
    expect(answer.completionTokens).toBeGreaterThan(0);
    ending.abort();
    await expect(long).rejects.toMatchObject({ code: 'CANCELLED' });
    engine.setSpeed(1);
    expect((await engine.probe(PROBE)).tokens).toHaveLength(40);
  });
});

it('honest probes give thresholds that are above all of them', async () => {
  const { vocabulary = 0 } = engine.status().model ?? {};
  const probe = engine.probe.bind(engine);
  const probes = await Array.fromAsync(honestProbes(probe, { vocabulary, probes: 2 }));
  expect(probes.map(({ length }) => length)).toEqual([256, 256]);
  const means = probes.map((audits) => audits.reduce((sum, { top }) => sum + top, 0) / audits.length);
  expect(thresholdsOfWhole(probes)[128].top).toBeGreaterThan(Math.max(...means));
});

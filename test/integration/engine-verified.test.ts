import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAudits } from '../../src-main/inference/verified/audit.ts';
import type { VerifiedSampling } from '../../src-main/inference/verified/choice.ts';
import { readAgain } from '../../src-main/inference/verified/read-again.ts';
import { meansOf } from '../../src-main/inference/verified/thresholds.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { events, tinyEngine } from '../support/engine.ts';

const engine = tinyEngine();
beforeAll(() => engine.open());
afterAll(() => engine.close());

const input = { messages: [{ role: 'user' as const, content: 'What is Quarry?' }] };
const askedAt = Date.now();
const SAMPLING: VerifiedSampling = { temperature: 0.9, topP: 0.95, topK: 40, repeatPenalty: 1.1, seed: 4_294_967_295 };

async function verified(more: Partial<GenerateRequest> = {}) {
  const request = { input, maxTokens: 60, ...SAMPLING, ...more };
  const all = await events(engine, request, { verified: true, tokenIds: true, askedAt });
  const last = all.at(-1);
  if (last?.type !== 'done' || !last.evidence) throw new Error('The engine ended without evidence.');
  return { ...last, evidence: last.evidence, chunks: all.slice(0, -1) };
}

describe('an answer that can be checked', () => {
  it('comes with evidence of every token that was chosen', async () => {
    const { evidence, tokenIds } = await verified();
    expect(evidence.map(({ id }) => id)).toEqual(tokenIds);
    for (const { id, logprob, top } of evidence) {
      expect(top).toHaveLength(10);
      expect(top.map(([, each]) => each)).toEqual(top.map(([, each]) => each).toSorted((one, other) => other - one));
      const known = top.find(([each]) => each === id);
      if (known) expect(known[1]).toBe(logprob);
    }
  });

  it.each([
    ['as it was asked for', {}],
    ['without any limit', { topK: 0, topP: 1, repeatPenalty: 1 }],
    ['always the likeliest', { temperature: 0 }],
  ])('is chosen again by whoever has the model: %s', async (_, more) => {
    const sampling = { ...SAMPLING, ...more };
    const { evidence } = await verified(more);
    const means = meansOf(addAudits((await readAgain(engine, { input, sampling, evidence, askedAt })).audits));
    expect(means.mismatches).toBeLessThan(0.1);
    expect(means.top).toBeLessThan(0.1);
    expect(means.chosen).toBeLessThan(0.1);
  });

  it('is another one with another seed, and found out where another is claimed', async () => {
    const { evidence } = await verified({ seed: 1 });
    const means = meansOf(
      addAudits((await readAgain(engine, { input, sampling: SAMPLING, evidence, askedAt })).audits),
    );
    expect(means.mismatches).toBeGreaterThan(0.2);
    expect(means.top).toBeLessThan(0.1);
  });

  it('has log-probabilities in its pieces where they are asked for, and none where not', async () => {
    const logprobs = (chunks: Awaited<ReturnType<typeof verified>>['chunks']) =>
      chunks.flatMap((event) => (event.type === 'chunk' ? (event.logprobs ?? []) : []));
    expect(logprobs((await verified()).chunks)).toEqual([]);
    const { chunks, evidence } = await verified({ topLogprobs: 3 });
    const told = logprobs(chunks);
    expect(told.map(({ id }) => id)).toEqual(evidence.slice(0, told.length).map(({ id }) => id));
    expect(told.every(({ top }) => top.length === 3)).toBe(true);
  });

  it('needs a seed, and nothing else that says how it is to be', async () => {
    const refused = (more: Partial<GenerateRequest>) =>
      expect(verified(more)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: Object.keys(more)[0] });
    await refused({ seed: undefined });
    await refused({ jsonSchema: { type: 'object' } });
    await refused({ tools: [{ name: 'look' }] });
    await refused({ maxTokens: 16_385 });
  });
});

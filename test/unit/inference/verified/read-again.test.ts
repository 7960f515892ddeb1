import { expect, it } from 'vitest';
import type { ScoreRequest, ScoreResult } from '../../../../src-main/inference/backend.ts';
import type { VerifiedSampling } from '../../../../src-main/inference/verified/choice.ts';
import { type AuditingBackend, readAgain } from '../../../../src-main/inference/verified/read-again.ts';

const GREEDY: VerifiedSampling = { temperature: 0, topP: 1, topK: 40, repeatPenalty: 1, seed: 1 };
const TOP = [-0.5, -1, -3].map((logprob, id) => ({ id, logprob, token: `${id}`, bytes: [48 + id] }));

/** Thinks the same of every token, after a prompt of the token 0. */
function backend() {
  const scored: ScoreRequest[] = [];
  let tokenized = 0;
  const auditing: AuditingBackend = {
    async score(request, options) {
      expect(options?.askedAt).toBe(askedAt);
      scored.push(request);
      const tokens = (request.continuation as number[]).map((id) => ({ ...(TOP[id] ?? TOP[0]), top: TOP }));
      return { tokens, totalLogprob: 0 } as ScoreResult;
    },
    async tokenize(_, options) {
      expect(options).toEqual({ askedAt });
      tokenized++;
      return [0];
    },
  };
  return { auditing, scored, tokenized: () => tokenized };
}

const told = (id: number) => ({ id, logprob: -1, top: [[id, -1] as [number, number]] });
const input = { prompt: 'A' };
const askedAt = 1_700_000_000_000;

it('reads the tokens of the prompt where a penalty goes by them, and only there', async () => {
  const { auditing, tokenized } = backend();
  const plain = await readAgain(auditing, { input, askedAt, sampling: GREEDY, evidence: [told(0)] });
  expect([plain.audits[0]?.mismatches, tokenized()]).toEqual([0, 0]);
  const penalised = { ...GREEDY, repeatPenalty: 3 };
  const { audits, spelled } = await readAgain(auditing, { input, askedAt, sampling: penalised, evidence: [told(1)] });
  expect([audits[0]?.mismatches, tokenized()]).toEqual([0, 1]);
  expect(spelled).toEqual([{ token: '1', bytes: [49] }]);
});

it('has as many likeliest tokens read as the choice was made of, and as were told', async () => {
  const { auditing, scored } = backend();
  for (const sampling of [{ topK: 40 }, { topK: 3 }, { topK: 0 }, { topK: 3, repeatPenalty: 2 }])
    await readAgain(auditing, { input, askedAt, sampling: { ...GREEDY, ...sampling }, evidence: [told(0)] });
  expect(scored.map(({ topK }) => topK)).toEqual([40, 10, 100, 100]);
  expect(scored.every(({ continuation }) => String(continuation) === '0')).toBe(true);
});

it('reads nothing where nothing is told', async () => {
  const { auditing, scored } = backend();
  expect(await readAgain(auditing, { input, askedAt, sampling: GREEDY, evidence: [] })).toEqual({
    audits: [],
    spelled: [],
  });
  expect(scored).toEqual([]);
});

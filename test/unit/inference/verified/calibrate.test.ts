import { describe, expect, it } from 'vitest';
import type { GenerateEvent, InferenceBackend, ScoreResult } from '../../../../src-main/inference/backend.ts';
import type { AuditSums } from '../../../../src-main/inference/verified/audit.ts';
import {
  CALIBRATION_ANSWERS,
  calibrated,
  type HonestAnswer,
  honestAnswers,
} from '../../../../src-main/inference/verified/calibrate.ts';
import { HONEST_QUESTIONS } from '../../../../src-main/inference/verified/honest-questions.ts';
import type { AuditingBackend } from '../../../../src-main/inference/verified/read-again.ts';
import { AUDIT_SIZES, largestOf, thresholdsOf } from '../../../../src-main/inference/verified/thresholds.ts';
import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';

/** Says one token, and reads it again as it was. */
function oneWord() {
  const asked: { request: GenerateRequest; verified: boolean | undefined }[] = [];
  const state = { now: 0, most: 0 };
  const backend: AuditingBackend & Pick<InferenceBackend, 'generate'> = {
    async *generate(request, options): AsyncGenerator<GenerateEvent> {
      asked.push({ request, verified: options?.verified });
      state.most = Math.max(state.most, ++state.now);
      await Promise.resolve();
      state.now--;
      const result = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, finish: 'stop' };
      yield { type: 'done', result, evidence: [{ id: 3, logprob: -1, top: [[3, -1]] }] } as unknown as GenerateEvent;
    },
    score: async () =>
      ({
        tokens: [{ token: 'a', bytes: [97], logprob: -1, top: [{ id: 3, token: 'a', bytes: [97], logprob: -1 }] }],
      }) as unknown as ScoreResult,
    tokenize: async () => [1, 2],
  };
  return { backend, asked, state };
}

describe('honest answers', () => {
  it('are asked for as people ask and as free as can be, by turns, each question in both ways', async () => {
    const { backend, asked, state } = oneWord();
    const answers = await Array.fromAsync(honestAnswers(backend));
    expect(answers).toHaveLength(CALIBRATION_ANSWERS);
    expect(answers.filter(({ isFree }) => isFree)).toHaveLength(CALIBRATION_ANSWERS / 2);
    expect(answers.every(({ audits }) => audits.length === 1 && audits[0]?.mismatches === 0)).toBe(true);
    expect(state.most).toBe(2); // a batch rounds otherwise than a single answer
    expect(asked.every(({ verified }) => verified === true)).toBe(true);
    const ways = Map.groupBy(asked, ({ request }) => JSON.stringify(request.input));
    expect(ways.size).toBe(HONEST_QUESTIONS.length);
    for (const [question, of] of ways)
      expect(of.map(({ request }) => request.temperature).toSorted(), question).toEqual([0.7, 1]);
    // Who can say beforehand what is drawn could say what he likes.
    expect(new Set(asked.map(({ request }) => request.seed)).size).toBe(CALIBRATION_ANSWERS);
  });

  it('are no more than are wanted, and none once it is ended', async () => {
    const { backend, asked } = oneWord();
    expect(await Array.fromAsync(honestAnswers(backend, { answers: 3 }))).toHaveLength(3);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(Array.fromAsync(honestAnswers(backend, { signal }))).rejects.toThrow('enough');
    expect(asked).toHaveLength(3);
  });
});

describe('a calibration', () => {
  const answer = (isFree: boolean, off: Partial<AuditSums>): HonestAnswer => ({
    isFree,
    audits: Array.from({ length: 64 }, () => ({ tokens: 1, top: 0.01, chosen: 0.01, mismatches: 0, ...off })),
  });
  const usual = answer(false, { top: 0.1 });
  const free = answer(true, { chosen: 0.2 });

  it('is the larger of both ways, for each measure and size by itself', () => {
    const both = calibrated([usual, free]);
    const [ofUsual, ofFree] = [thresholdsOf([usual.audits]), thresholdsOf([free.audits])];
    for (const size of AUDIT_SIZES) {
      expect([both[size].top, both[size].chosen]).toEqual([ofUsual[size].top, ofFree[size].chosen]);
      // Who is the same each time is found by what another build makes of it, and by nothing else.
      expect(both[size].top).toBeCloseTo(1.7 * 0.1, 9);
      expect(both[size].chosen).toBeCloseTo(1.7 * 0.2, 9);
    }
    expect(calibrated([usual])).toEqual(ofUsual);
    expect(calibrated([usual, { isFree: true, audits: [] }])).toEqual(ofUsual);
  });

  it('is none without an answer', () => {
    expect(() => calibrated([])).toThrow(RangeError);
    expect(() => largestOf([])).toThrow(RangeError);
  });

  it('leaves room for chance: five deviations of means of so many tokens', () => {
    // Half of the tokens are off, by turns: a mean of n of them spreads by half ÷ √n where they are drawn one by one, and less in stretches.
    const spread = Array.from({ length: 400 }, (_, at) => [{ tokens: 1, top: at % 2, chosen: 0, mismatches: 0 }]);
    const thresholds = thresholdsOf(spread);
    for (const size of AUDIT_SIZES) {
      const wanted = 1.7 * 0.5 + 5 * Math.sqrt((1.7 * 0.25) / size);
      expect(thresholds[size].top / wanted, `${size}`).toBeGreaterThan(0.95);
      expect(thresholds[size].top / wanted, `${size}`).toBeLessThan(1.05);
    }
  });
});

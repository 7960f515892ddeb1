import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import type { TokenEvidence } from '../../../../src-main/inference/evidence.ts';
import {
  type AuditSums,
  addAudits,
  auditTokens,
  NOTHING_AUDITED,
  type OwnView,
} from '../../../../src-main/inference/verified/audit.ts';
import { chosenToken } from '../../../../src-main/inference/verified/choice.ts';
import { AUDIT_SIZES, findingOf, meansOf, thresholdsOf } from '../../../../src-main/inference/verified/thresholds.ts';

const SAMPLING = { temperature: 0.7, topP: 1, topK: 0, repeatPenalty: 1, seed: 3 };
const NONE: readonly number[] = [];

/** Views of a made-up model: some forty tokens, whose log-probabilities are `apart` from those of another with the same seed. */
function views(count: number, seed: number, apart = 0, noise = 1): OwnView[] {
  const of = seededRandom(seed);
  const other = seededRandom(noise);
  return Array.from({ length: count }, () => {
    const logits = Array.from({ length: 40 }, (_, id) => ({ id, logit: 3 * of.normal() + apart * other.normal() }));
    const sum = Math.log(logits.reduce((all, { logit }) => all + Math.exp(logit), 0));
    const top = logits.map(({ id, logit }) => ({ id, logprob: logit - sum }));
    return { logprob: 0, top: top.sort((one, another) => another.logprob - one.logprob) };
  });
}

/** What somebody says who computes with one of these models. */
const said = (model: readonly OwnView[], sampling = SAMPLING): TokenEvidence[] =>
  model.map(({ top }, place) => {
    const id = chosenToken(top, sampling, place, NONE);
    const logprob = top.find((each) => each.id === id)?.logprob ?? 0;
    return { id, logprob, top: top.slice(0, 10).map((each) => [each.id, each.logprob]) };
  });

const audited = (evidence: TokenEvidence[], own: readonly OwnView[], sampling = SAMPLING) =>
  auditTokens({
    ...{ prompt: [], sampling, evidence },
    own: own.map(({ top }, place) => ({
      top,
      logprob: top.find(({ id }) => id === evidence[place]?.id)?.logprob ?? Number.NEGATIVE_INFINITY,
    })),
  });

describe('an audit', () => {
  it('finds nothing where the same numbers were computed', () => {
    const model = views(50, 1);
    expect(addAudits(audited(said(model), model))).toEqual({ tokens: 50, top: 0, chosen: 0, mismatches: 0 });
  });

  it('measures the ten likeliest in the mean, and what was said by itself', () => {
    const model = views(1, 1);
    const [honest] = said(model);
    if (!honest) throw new Error('nothing was said');
    const top = honest.top.map(([id, logprob], at): [number, number] => [id, at < 2 ? logprob - 0.5 : logprob]);
    const [found] = audited([{ ...honest, logprob: honest.logprob - 0.25, top }], model);
    expect(found?.top).toBeCloseTo(0.1, 9);
    expect(found?.chosen).toBeCloseTo(0.25, 9);
  });

  it('sees another model by all that it measures', () => {
    const sums = meansOf(addAudits(audited(said(views(300, 1, 1)), views(300, 1))));
    for (const found of Object.values(sums)) expect(found).toBeGreaterThan(0.1);
  });

  it('sees text of another model behind log-probabilities of the true one, by the choices', () => {
    const [true_, other] = [views(300, 1), views(300, 2)];
    const faked = said(other).map(({ id }, place) => {
      const top = true_[place]?.top ?? [];
      const logprob = top.find((each) => each.id === id)?.logprob ?? 0;
      return { id, logprob, top: top.slice(0, 10).map((each): [number, number] => [each.id, each.logprob]) };
    });
    const means = meansOf(addAudits(audited(faked, true_)));
    expect([means.top, means.chosen]).toEqual([0, 0]);
    expect(means.mismatches).toBeGreaterThan(0.5);
  });

  it('sees another temperature and another seed, by the choices', () => {
    const model = views(300, 1);
    for (const other of [{ temperature: 1.4 }, { seed: 4 }])
      expect(meansOf(addAudits(audited(said(model, { ...SAMPLING, ...other }), model))).mismatches).toBeGreaterThan(
        0.1,
      );
  });

  describe('at temperature 0', () => {
    const greedy = { ...SAMPLING, temperature: 0 };
    /** Of a model for which two tokens are so far apart, and a third one is far off. */
    const view = (apart: number): OwnView => ({
      logprob: 0,
      top: [
        { id: 1, logprob: -0.5 },
        { id: 2, logprob: -0.5 - apart },
        { id: 3, logprob: -4 },
      ],
    });
    const mismatches = (id: number, apart: number, sampling = greedy) =>
      audited([{ id, logprob: -0.5, top: [] }], [view(apart)], sampling)[0]?.mismatches;

    it('lets machines part at a near tie, which a text that repeats itself has over and over, and no further', () => {
      expect([mismatches(1, 0.19), mismatches(2, 0.19)]).toEqual([0, 0]);
      expect([mismatches(1, 0.21), mismatches(2, 0.21)]).toEqual([0, 1]);
      expect([mismatches(3, 0.19), mismatches(9, 0.19)]).toEqual([1, 1]);
    });

    it('counts the penalty for what was said', () => {
      const after = (apart: number) =>
        auditTokens({
          ...{ prompt: [1], sampling: { ...greedy, repeatPenalty: 1.5 }, own: [view(apart)] },
          evidence: [{ id: 2, logprob: -0.5 - apart, top: [] }],
        })[0]?.mismatches;
      expect([after(0.2), after(0.4), after(0.5)]).toEqual([0, 0, 1]); // held against −0.75
    });

    it('still sees the text of another model', () => {
      const [own, other] = [views(300, 1), views(300, 2)];
      expect(meansOf(addAudits(audited(said(other, greedy), own, greedy))).mismatches).toBeGreaterThan(0.8);
    });
  });

  it('counts what is no number, what is unknown and what is missing as far off as can be', () => {
    const model = views(1, 1);
    const [honest] = said(model);
    if (!honest) throw new Error('nothing was said');
    const off = { ...honest, logprob: Number.NaN, top: [[9_999, -1] as [number, number]] };
    expect(audited([off], model)).toEqual([{ tokens: 1, top: 1, chosen: 1, mismatches: 0 }]);
    expect(audited([{ ...honest, top: [] }], [])).toEqual([{ tokens: 1, top: 1, chosen: 1, mismatches: 1 }]);
  });
});

describe('thresholds', () => {
  const BITS = 0.08;
  const honest = Array.from({ length: 40 }, (_, n) =>
    audited(said(views(96, 100 + n, BITS, 500 + n)), views(96, 100 + n)),
  );
  const thresholds = thresholdsOf(honest);

  it('fall the more is audited, and are the same each time', () => {
    for (const measure of ['top', 'chosen', 'mismatches'] as const) {
      const falling = AUDIT_SIZES.map((size) => thresholds[size][measure]);
      expect(falling).toEqual(falling.toSorted((one, other) => other - one));
    }
    expect(thresholdsOf(honest)).toEqual(thresholds);
    expect(() => thresholdsOf([[]])).toThrow(RangeError);
  });

  it('find nobody who computes with the same file, also with another build’s rounding', () => {
    for (let worker = 0; worker < 30; worker++) {
      let sums: AuditSums = NOTHING_AUDITED;
      for (let answer = 0; answer < 6; answer++) {
        const seed = 10_000 + 100 * worker + answer;
        const found = audited(said(views(96, seed, 1.5 * BITS, seed + 1)), views(96, seed));
        sums = addAudits([sums, ...found]);
        expect(findingOf(sums, thresholds)).toBeUndefined();
      }
    }
  });

  it('find who computes with something else, and say by what', () => {
    const found = addAudits(audited(said(views(96, 1, 1)), views(96, 1)));
    expect(findingOf(found, thresholds)).toEqual({
      ...{ measure: 'top', tokens: 96, found: meansOf(found).top, threshold: thresholds[32].top },
    });
    expect(findingOf(addAudits(audited(said(views(20, 1, 1)), views(20, 1))), thresholds)).toBeUndefined();
  });
});

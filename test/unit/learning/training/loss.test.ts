import { describe, expect, it } from 'vitest';
import { distillation } from '../../../../src-main/learning/training/loss/distillation.ts';
import { logSumExp, overwriteWithGradient } from '../../../../src-main/learning/training/loss/logits.ts';
import { sdpo } from '../../../../src-main/learning/training/loss/sdpo.ts';
import { type LearntToken, type LossRules, tokenLoss } from '../../../../src-main/learning/training/loss/token-loss.ts';

/** CLaaS's numbers, to the digits that are known of them. */
const LOGITS = [2, 1, 0.5, -1, 0];
const TEACHER = { tokens: [1, 0, 2], logprobs: [0.6, 0.25, 0.1].map(Math.log) };
const BASE: LossRules = { objective: 'sdpo', mixture: 0.5, isClip: 5, klWeight: 0.1 };
const token = (y: number, old = -1.2): LearntToken => ({ token: y, teacher: TEACHER, old, base: -1.5 });
const total = ({ distill, kl }: { distill: number; kl: number }, { klWeight }: LossRules) => distill + klWeight * kl;

function unbounded(y: number, old: number, mixture: number) {
  const logits = Float32Array.from(LOGITS);
  return sdpo(logits, logSumExp(logits), token(y, old), { mixture, isClip: 5 }, Number.POSITIVE_INFINITY);
}

describe('the SDPO loss', () => {
  it('is what CLaaS computes between teacher and student', () => {
    const found = tokenLoss(Float32Array.from(LOGITS), token(1), BASE);
    expect(1 - found.sum).toBeCloseTo(-1.574438, 6);
    expect(found.ratio).toBeCloseTo(0.687676, 6);
    expect(found.distill).toBeCloseTo(0.060568, 6);
    expect(found.distill / found.ratio).toBeCloseTo(0.088076, 6);
    expect(found.kl).toBeCloseTo(0.002703, 6);
    expect(total(found, BASE)).toBeCloseTo(0.060838, 6);
  });

  it('is its policy gradient where only the student counts', () => {
    const rules = { ...BASE, mixture: 1 };
    const found = tokenLoss(Float32Array.from(LOGITS), token(1), rules);
    expect(found.distill / found.ratio).toBeCloseTo(1.674592, 6);
    expect(total(found, rules)).toBeCloseTo(1.151846, 6);
  });

  it('explodes as CLaaS’s does for a token that the teacher does not think of, and is held to 10 nats before the ratio', () => {
    const { loss, ratio } = unbounded(3, -9, 1);
    expect(ratio).toBe(5);
    expect(loss).toBeCloseTo(-293.560761, 4);
    const rules = { ...BASE, mixture: 1 };
    const found = tokenLoss(Float32Array.from(LOGITS), token(3, -9), rules);
    expect(found.kl).toBeCloseTo(1.200065, 6);
    expect(loss + 0.1 * found.kl).toBeCloseTo(-293.440755, 4);
    expect(found.distill).toBeCloseTo(-50, 10);
  });

  it('is nothing for a student that says what the teacher says', () => {
    const logits = Float32Array.from([Math.log(0.25), Math.log(0.6), Math.log(0.1), -40, -40]);
    expect(sdpo(logits, logSumExp(logits), token(1), BASE).loss).toBeCloseTo(0, 6);
  });

  it('stays a number where teacher and student have nothing in common', () => {
    const logits = Float32Array.from([-90, -90, -90, 90, 0]);
    for (const mixture of [0.5, 1]) {
      const found = tokenLoss(logits.slice(), token(3), { ...BASE, mixture });
      expect(Number.isFinite(total(found, BASE))).toBe(true);
      expect(found.gradient.values.every(Number.isFinite) && Number.isFinite(found.gradient.softmax)).toBe(true);
    }
  });
});

describe('distillation', () => {
  it('is the forward KL from the renormalised teacher to the whole student', () => {
    const logits = Float32Array.from(LOGITS);
    const sum = logSumExp(logits);
    const q = [0.6, 0.25, 0.1].map((one) => one / 0.95);
    const kl = q.reduce(
      (all, one, k) => all + one * (Math.log(one) - ((LOGITS[TEACHER.tokens[k] ?? 0] ?? 0) - sum)),
      0,
    );
    expect(distillation(logits, sum, TEACHER).loss).toBeCloseTo(kl, 10);
  });
});

/** Differences of the loss where nothing else than the logits changes: what is held still in the loss is held still here. */
function numerically(y: LearntToken, rules: LossRules, logits: readonly number[]): number[] {
  const { ratio, distill } = tokenLoss(Float32Array.from(logits), y, rules);
  const logprob = (z: readonly number[]) =>
    (z[y.token] ?? 0) - logSumExp(Float64Array.from(z) as unknown as Float32Array);
  const advantage = distill / ratio / logprob(logits);
  const loss = (z: readonly number[]) => {
    const found = tokenLoss(Float64Array.from(z) as unknown as Float32Array, y, rules);
    const own = rules.mixture === 1 ? advantage * logprob(z) : found.distill / found.ratio;
    return own * ratio + rules.klWeight * found.kl;
  };
  const step = 1e-5;
  return logits.map((_, at) => {
    const moved = (by: number) => logits.map((value, index) => (index === at ? value + by : value));
    return (loss(moved(step)) - loss(moved(-step))) / (2 * step);
  });
}

describe('the gradient by the logits', () => {
  it.each<[string, LearntToken, LossRules, number[]]>([
    ['of distillation', token(1), { ...BASE, objective: 'distillation' }, LOGITS],
    ['of distillation without a base', { token: 4, teacher: TEACHER }, { ...BASE, objective: 'distillation' }, LOGITS],
    ['of SDPO', token(1), BASE, LOGITS],
    ['of SDPO near the teacher', token(3), { ...BASE, mixture: 0.1 }, LOGITS],
    ['of SDPO for a student that is far from all of the teacher’s tokens', token(3), BASE, [0, 1, 0.5, 25, 0]],
    ['of SDPO at the student', token(1), { ...BASE, mixture: 1 }, LOGITS],
    ['of SDPO at the student, clipped and held', token(3, -9), { ...BASE, mixture: 1 }, LOGITS],
  ])('%s is the one that differences show', (_, learnt, rules, at) => {
    const row = Float32Array.from(at);
    const { gradient, sum } = tokenLoss(row, learnt, rules);
    overwriteWithGradient(row, sum, gradient, 1);
    for (const [index, expected] of numerically(learnt, rules, at).entries())
      expect(row[index]).toBeCloseTo(expected, 5);
  });

  it('is weighted, and in all it moves nothing up or down', () => {
    const row = Float32Array.from(LOGITS);
    const { gradient, sum } = tokenLoss(row, token(1), { ...BASE, objective: 'distillation' });
    const whole = row.slice();
    overwriteWithGradient(whole, sum, gradient, 1);
    overwriteWithGradient(row, sum, gradient, 0.25);
    expect([...row].map((value) => value * 4)).toEqual([...whole].map((value) => expect.closeTo(value, 6)));
    expect([...whole].reduce((all, value) => all + value)).toBeCloseTo(0, 6);
  });
});

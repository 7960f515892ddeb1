import { describe, expect, it } from 'vitest';
import { METRICS, type MetricName } from '../../../../../src-main/subnets/quasar/metrics/metrics.ts';
import { diversityOf, withDiversity } from '../../../../../src-main/subnets/quasar/reward/diversity.ts';

const ANSWER = 'the river rises in spring';
const OTHER = 'engines need oil';

describe('diversity', () => {
  it('is by the most alike of what others said last', () => {
    expect(diversityOf(ANSWER, [OTHER, ANSWER], []).uniqueness).toBe(0);
    expect(diversityOf(ANSWER, [OTHER, OTHER], []).uniqueness).toBe(1);
    expect(diversityOf(ANSWER, [ANSWER, ...Array.from({ length: 20 }, () => OTHER)], []).uniqueness).toBe(1);
    expect(diversityOf(ANSWER, [ANSWER, ...Array.from({ length: 19 }, () => OTHER)], []).uniqueness).toBe(0);
    expect(diversityOf(ANSWER, [ANSWER], []).uniqueness).toBe(1);
  });

  it('is by how unlike each other the own last answers are', () => {
    expect(diversityOf(ANSWER, [], [ANSWER, ANSWER, ANSWER]).variety).toBe(0);
    expect(diversityOf(ANSWER, [], [ANSWER, ANSWER, OTHER]).variety).toBeCloseTo(2 / 3, 12);
    expect(diversityOf(ANSWER, [], [ANSWER, ANSWER, ANSWER, OTHER]).variety).toBeCloseTo(1 / 2, 12);
    expect(diversityOf(ANSWER, [], [ANSWER, ANSWER]).variety).toBe(1);
    expect(diversityOf(ANSWER, [], [OTHER, ...Array.from({ length: 10 }, () => ANSWER)]).variety).toBe(0);
    expect(diversityOf(ANSWER, [], [OTHER, ...Array.from({ length: 9 }, () => ANSWER)]).variety).toBeCloseTo(
      9 / 45,
      12,
    );
  });

  it('adds a tenth where it is high, and takes a fifth where it is low', () => {
    expect(withDiversity(0.5, 'rouge-l', { uniqueness: 1, variety: 0.5 })).toBeCloseTo(0.55, 12);
    expect(withDiversity(0.5, 'rouge-l', { uniqueness: 0.2, variety: 0.3 })).toBeCloseTo(0.4, 12);
    expect(withDiversity(0.5, 'rouge-l', { uniqueness: 0.28, variety: 0.28 })).toBeCloseTo(0.4, 12);
    for (const between of [0.3, 0.5, 0.7]) {
      expect(withDiversity(0.5, 'rouge-l', { uniqueness: between, variety: between })).toBe(0.5);
    }
    expect(withDiversity(0.95, 'rouge-l-zh', { uniqueness: 1, variety: 1 })).toBe(1);
  });

  it('holds against nobody that a right answer is everybody’s', () => {
    for (const metric of Object.keys(METRICS) as MetricName[]) {
      if (metric.startsWith('rouge')) continue;
      expect(withDiversity(1, metric, { uniqueness: 0, variety: 0 })).toBe(1);
    }
  });
});

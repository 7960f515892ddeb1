import { describe, expect, it } from 'vitest';
import { compositeOf } from '../../../../../src-main/subnets/quasar/reward/composite.ts';
import { rewardOf } from '../../../../../src-main/subnets/quasar/reward/context-multiplier.ts';
import {
  explainComposite,
  explainConsistency,
  explainDiversity,
  explainReward,
  SCORES,
} from '../../../../../src-main/subnets/quasar/reward/explain.ts';
import { sentence } from '../../../../../src-preload/contract/saying.ts';

describe('scores are told in words', () => {
  it('each what it is', () => {
    for (const score of Object.values(SCORES)) expect(sentence(score)).toMatch(/^[A-Z][a-z]+: .+\.$/);
  });

  it('a reward', () => {
    expect(explainReward('f1', rewardOf(0.5, 1_000)).map(sentence)).toEqual([
      'Accuracy 50 %: words in common with the right answer (F1).',
    ]);
    expect(explainReward('count', rewardOf(0.5, 100_000)).map(sentence)).toEqual([
      'Accuracy 50 %: the right number, and no other.',
      'For a context of this length it counts 1.2 times: reward 60 %.',
    ]);
    expect(explainReward('mrcr', rewardOf(0.5, 2_000_000)).map(sentence)[1]).toBe(
      'For a context of this length it counts 2 times: reward 100 %.',
    );
    expect(explainReward('mrcr', rewardOf(0.9, 2_000_000)).map(sentence)[1]).toBe(
      'For a context of this length it counts 2 times, and no more than 100 %.',
    );
  });

  it('a composite', () => {
    const measured = {
      ...{ memory: 1, position: 0.5, coherence: 0.5, tokensPerSecond: 100, scaling: 1 },
      ...{ scaleFactor: 1, contextTokens: 0 },
    };
    expect(explainComposite(compositeOf('memory', measured)).map(sentence)).toEqual([
      'Composite 78.1 %.',
      'Memory counts 100 %, with a weight of 35 %.',
      'Position counts 60 %, with a weight of 25 %.',
      'Coherence counts 50 %, with a weight of 20 %.',
      'Speed counts 10 %, with a weight of 10 %.',
      'Scaling counts 100 %, with a weight of 10 %.',
      'What this task is to show is very good: 10 % more.',
    ]);
  });

  it('consistency and diversity', () => {
    expect(sentence(explainConsistency({ likeness: 0.9, isConsistent: true }))).toContain('same answer: 90 %');
    expect(sentence(explainConsistency({ likeness: 0.1, isConsistent: false }))).toContain('another answer: 10 %');
    expect(sentence(explainDiversity({ uniqueness: 0.25, variety: 1 }))).toContain('25 % unlike');
  });
});

import { describe, expect, it } from 'vitest';
import type { AskedAnswers } from '../../../../src-main/learning/asked.ts';
import {
  capabilityRatio,
  generalScore,
  measureCapability,
  shareRight,
} from '../../../../src-main/learning/evaluation/measures/capability.ts';
import {
  collapseAlarms,
  measureCollapse,
  topEntropy,
} from '../../../../src-main/learning/evaluation/measures/collapse.ts';
import { measureCompliance } from '../../../../src-main/learning/evaluation/measures/compliance.ts';
import { marginOf, measureMargins } from '../../../../src-main/learning/evaluation/measures/margin.ts';
import { rougeL, selfRouge } from '../../../../src-main/learning/evaluation/measures/rouge.ts';
import {
  echoes,
  goesInCircles,
  measureSoundness,
} from '../../../../src-main/learning/evaluation/measures/soundness.ts';
import { codeOf } from '../../../../src-main/learning/evaluation/probes/coding.ts';
import { FACT_PROBES } from '../../../../src-main/learning/evaluation/probes/facts.ts';
import { names } from '../../../../src-main/learning/evaluation/probes/matcher.ts';
import { verifierOf } from '../../../../src-main/learning/evaluation/verifiers/wish.ts';
import { scoredWords } from '../../../support/learning/scored-words.ts';

/** A model that gives one answer to all, and finds each word of a text as likely. */
function says(text: string, logprob = -1): AskedAnswers {
  return {
    answer: async (_, { topLogprobs }) => {
      const place = {
        token: 'x',
        bytes: [],
        logprob,
        top: [0.5, 0.5].map((p) => ({ token: 'x', bytes: [], logprob: Math.log(p) })),
      };
      return { text, finish: 'stop', tokens: [1], ...(topLogprobs && { logprobs: [place, place] }) };
    },
    score: async (_, answer) => scoredWords(answer, logprob),
  };
}

const question = [{ role: 'user' as const, content: 'q' }];

describe('measures', () => {
  it('the margin is in sums, as the original has it, and by tokens', async () => {
    const pairs = [{ messages: question, positive: 'a b', negative: 'a b c d' }];
    expect(marginOf(await measureMargins(pairs, { asked: says('') }))).toEqual({ sum: 2, perToken: 0 });
    expect(marginOf(await measureMargins([], { asked: says('') }))).toBeUndefined();
  });

  it('compliance is of each answer, and tells how far it is', async () => {
    let told = 0;
    const { passes, mean } = await measureCompliance(
      [question, question],
      verifierOf({ kind: 'emoji', wanted: false }),
      { maxTokens: 9 },
      {
        asked: says('plain'),
        onAnswer: () => told++,
      },
    );
    expect({ passes, mean, told }).toEqual({ passes: [true, true], mean: 1, told: 2 });
  });

  it('ends where it is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(measureCapability(FACT_PROBES, { asked: says('Paris'), signal })).rejects.toThrow('enough');
  });

  it('capability counts what is right of each kind', async () => {
    const capability = await measureCapability(FACT_PROBES, { asked: says('It is Paris.') });
    expect(capability['fact: What is the capital of France?']).toBe(1);
    expect(shareRight(capability)).toBeCloseTo(1 / FACT_PROBES.length);
    expect(generalScore({ 'coding: a': 1, 'instruction: b': 0, 'instruction: c': 1 })).toBe(0.75);
    expect([capabilityRatio(0, 0), capabilityRatio(0.5, 0.25)]).toEqual([1, 0.5]);
  });

  it('collapse: entropy of the likeliest alone, likeness of samples, drift', async () => {
    const healthy = await measureCollapse({ asked: says('same words each time') }, 1);
    expect(healthy.entropy).toBeCloseTo(Math.LN2);
    expect(healthy).toMatchObject({ selfRouge: 1, meanLogprob: -1 });
    expect(topEntropy([Math.log(0.1), Math.log(0.1)])).toBeCloseTo(Math.LN2);
    expect(topEntropy([0, Number.NEGATIVE_INFINITY])).toBe(-0);
    const alarms = collapseAlarms(
      { ...healthy, entropy: 2, selfRouge: 0.4 },
      { ...healthy, entropy: 1.1, selfRouge: 0.86, meanLogprob: -3.1 },
    );
    expect(alarms).toMatchObject({ entropy: true, selfRouge: true, logprob: true });
    expect(collapseAlarms(healthy, healthy)).toMatchObject({ entropyRatio: 1, entropy: false, logprob: false });
  });

  it('ROUGE-L is F1 of the longest common subsequence', () => {
    expect(rougeL('the cat sat', 'the cat sat')).toBe(1);
    expect(rougeL('a b c d', 'a x c')).toBeCloseTo(4 / 7);
    expect(rougeL('a', 'b')).toBe(0);
    expect(selfRouge(['a', 'a', 'b'])).toBeCloseTo(1 / 3);
  });
});

describe('answers that are none', () => {
  it.each([
    ['🌱'.repeat(30), true],
    ['I am so glad. '.repeat(12), true],
    ['The sky is blue because air scatters short waves more than long ones.', false],
    ['Paris.', false],
  ])('%s', (text, circles) => expect(goesInCircles(text)).toBe(circles));

  it('repeat what only the teacher was told', () => {
    const told = '[The following is a future user message. Use this to guide your answer.] be shorter';
    expect(echoes("The user's message is a future user message!", told)).toBe(true);
    expect(echoes('The following is true: the sky is blue.', told)).toBe(false);
    expect(echoes('', told)).toBe(false);
  });

  it('are told by what they look like, and by the model as it was', async () => {
    const answers = [{ text: '' }, { text: 'Fine words here.', finish: 'length' as const, messages: question }];
    expect(await measureSoundness(answers, { asked: says('', -6) })).toEqual({
      ...{ sentences: 0.5, words: 1.5, empty: 0.5, ended: 0.5, circling: 0, plausibility: -6 },
    });
  });
});

describe('facts', () => {
  it('has at least twenty, of questions that differ', () => {
    expect(FACT_PROBES.length).toBeGreaterThanOrEqual(20);
    expect(new Set(FACT_PROBES.map(({ id }) => id)).size).toBe(FACT_PROBES.length);
  });

  it.each([
    ['The capital is PARIS!', ['Paris'], true],
    ['a week has seven days', ['7'], true],
    ['7,000 m', ['7000'], true],
    ['H₂O', ['H2O'], true],
    ['Parisian food', ['Paris'], false],
    ['It is not Paris', ['Paris'], false],
    ["It isn't the cat", ['cat'], false],
    ['Zürich', ['Zurich'], true],
  ])('«%s» names %s: %s', (text, right, expected) => expect(names(text, right)).toBe(expected));
});

it('finds the code of an answer', () => {
  expect(codeOf('Sure:\n```python\ndef f():\n  return 1\n```\nDone.')).toBe('def f():\n  return 1');
  expect(codeOf('Here it is\ndef f(): return 1')).toBe('def f(): return 1');
  expect(codeOf('no code')).toBe('');
});

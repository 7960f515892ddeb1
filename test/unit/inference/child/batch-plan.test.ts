import { describe, expect, it } from 'vitest';
import { nextKind, PromptPace, planBatch, promptRoundMs } from '../../../../src-main/inference/child/batch-plan.ts';

const limits = { batchSize: 512, promptTokens: 100, outputs: 64 };
const decoding = { pending: 1, silent: 0 };
const prompt = (pending: number) => ({ pending, silent: pending - 1 });

describe('planBatch', () => {
  it('gives every decoding sequence its token', () => {
    expect(planBatch([decoding, prompt(80), decoding], 'decode', limits)).toEqual([1, 0, 1]);
  });

  it('reads prompts in the order they came, no more than asked for', () => {
    const promptTokens = 120;
    const prompts = [prompt(80), decoding, prompt(80), prompt(80)];
    expect(planBatch(prompts, 'prompt', { ...limits, promptTokens })).toEqual([80, 0, 40, 0]);
  });

  it('makes no piece so small that it is not worth a batch', () => {
    expect(planBatch([prompt(90), prompt(80)], 'prompt', limits)).toEqual([90, 0]);
    expect(planBatch([prompt(120), prompt(80)], 'prompt', limits)).toEqual([120, 0]);
    expect(planBatch([prompt(140), prompt(20)], 'prompt', limits)).toEqual([100, 0]);
  });

  it('stays within the batch', () => {
    expect(planBatch([prompt(600)], 'prompt', { ...limits, promptTokens: 600 })).toEqual([512]);
  });

  it('takes few positions with logits at a time', () => {
    expect(planBatch([{ pending: 90, silent: 5 }], 'prompt', limits)).toEqual([69]);
  });

  it('asks nothing of a sequence that waits for nothing', () => {
    expect(planBatch([{ pending: 0, silent: 0 }, decoding], 'decode', limits)).toEqual([0, 1]);
  });
});

describe('nextKind', () => {
  it('takes turns where some decode and some read', () => {
    const both = [decoding, prompt(80)];
    expect([nextKind(both, 'decode'), nextKind(both, 'prompt')]).toEqual(['prompt', 'decode']);
  });

  it('does not wait for a turn that nobody uses', () => {
    expect(nextKind([decoding], 'decode')).toBe('decode');
    expect(nextKind([prompt(80)], 'prompt')).toBe('prompt');
  });
});

describe('promptRoundMs', () => {
  it('is short for those who decode', () => {
    expect(promptRoundMs([decoding, decoding, prompt(80)])).toBe(300);
  });

  it('is longer when more wait for their first token than decode', () => {
    expect(promptRoundMs([decoding, prompt(80), prompt(80)])).toBe(600);
  });

  it('is a second at most', () => {
    expect(promptRoundMs([prompt(80)])).toBe(1_000);
    expect(promptRoundMs([decoding, ...Array.from({ length: 7 }, () => prompt(80))])).toBe(1_000);
  });
});

describe('PromptPace', () => {
  it('says how many tokens take so long', () => {
    const pace = new PromptPace();
    pace.learn(100, 50);
    expect(pace.tokensIn(200)).toBe(400);
  });

  it('follows a machine that slows down', () => {
    const pace = new PromptPace();
    pace.learn(100, 50);
    for (let i = 0; i < 20; i++) pace.learn(100, 500);
    expect(pace.tokensIn(200)).toBeLessThan(45);
  });

  it('takes no fewer than are worth a batch', () => {
    const pace = new PromptPace();
    pace.learn(100, 100_000);
    expect(pace.tokensIn(200)).toBe(32);
  });

  it('learns nothing from batches that hold hardly any prompt', () => {
    const pace = new PromptPace();
    const before = pace.tokensIn(200);
    pace.learn(2, 1_000);
    expect(pace.tokensIn(200)).toBe(before);
  });
});

import { describe, expect, it } from 'vitest';
import {
  awaitsOthers,
  fastestGroup,
  nextKind,
  PromptPace,
  PromptTurns,
  planBatch,
  promptRoundMs,
} from '../../../../../src-main/inference/child/loop/batch-plan.ts';

const limits = { batchSize: 512, promptTokens: 100, outputs: 64 };
const decoding = { pending: 1, silent: 0, begun: true };
const prompt = (pending: number) => ({ pending, silent: pending - 1, begun: false });

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
    expect(planBatch([prompt(95), prompt(80)], 'prompt', limits)).toEqual([95, 0]);
    expect(planBatch([prompt(90), prompt(8)], 'prompt', limits)).toEqual([90, 8]); // all there is of it
  });

  it('cuts a prompt at fours, in which llama.cpp computes', () => {
    expect(planBatch([prompt(400)], 'prompt', { ...limits, promptTokens: 31 })).toEqual([28]);
    expect(planBatch([prompt(31)], 'prompt', { ...limits, promptTokens: 31 })).toEqual([31]);
  });

  it('stays within the batch', () => {
    expect(planBatch([prompt(600)], 'prompt', { ...limits, promptTokens: 600 })).toEqual([512]);
  });

  it('takes few positions with logits at a time', () => {
    expect(planBatch([{ pending: 90, silent: 5, begun: false }], 'prompt', limits)).toEqual([69]);
  });

  it('asks nothing of a sequence that waits for nothing', () => {
    expect(planBatch([{ pending: 0, silent: 0, begun: true }, decoding], 'decode', limits)).toEqual([0, 1]);
  });
});

describe('nextKind', () => {
  it('takes turns where some decode and some read', () => {
    const both = [decoding, prompt(80)];
    expect([nextKind(both, 'decode', 0), nextKind(both, 'prompt', 0)]).toEqual(['prompt', 'decode']);
  });

  it('reads on only when all who decode have had their token', () => {
    expect(nextKind([decoding, prompt(80)], 'decode', 1)).toBe('decode');
  });

  it('does not wait for a turn that nobody uses', () => {
    expect(nextKind([decoding], 'decode', 0)).toBe('decode');
    expect(nextKind([prompt(80)], 'prompt', 0)).toBe('prompt');
  });
});

describe('fastestGroup', () => {
  const costs = (...ms: number[]) => ms.map((each, index) => ({ sequences: index + 1, ms: each }));
  const groups = (decoding: number, ...ms: number[]) => {
    const found: number[] = [];
    for (let left = decoding; left > 0; left -= found.at(-1) ?? left) found.push(fastestGroup(left, costs(...ms)));
    return found;
  };

  it('takes all together before it is known what that costs', () => {
    expect(fastestGroup(5, [])).toBe(5);
  });

  it('takes them in turn where more together are slower', () => {
    expect(groups(4, 9, 25, 38, 52)).toEqual([1, 1, 1, 1]);
  });

  it('takes all together where that is faster', () => {
    expect(groups(4, 9, 12, 13, 14)).toEqual([4]);
  });

  it('finds the groups that take the least time in all', () => {
    expect(groups(5, 10, 30, 40, 12, 60).toSorted()).toEqual([1, 4]);
    expect(groups(9, 10, 11, 12, 13)).toHaveLength(3);
  });
});

describe('promptRoundMs', () => {
  it('is short for those who decode, however many read', () => {
    expect(promptRoundMs([decoding, prompt(80), prompt(80), prompt(80)])).toBe(90);
  });

  it('is a second where nobody decodes', () => {
    expect(promptRoundMs([prompt(80)])).toBe(1_000);
  });
});

describe('awaitsOthers', () => {
  const ends = { pending: 100, count: 100, within: 300 };

  it('is so where another prompt is read to its end in time', () => {
    expect(awaitsOthers([ends, { pending: 200, count: 0, within: 300 }])).toBe(true);
    expect(awaitsOthers([ends, { pending: 200, count: 100, within: 300 }])).toBe(true);
  });

  it('is not so for a prompt that takes longer', () => {
    expect(awaitsOthers([ends, { pending: 201, count: 100, within: 300 }])).toBe(false);
  });

  it('is not so where nobody would wait, or for nobody', () => {
    expect(awaitsOthers([{ pending: 150, count: 100, within: 300 }])).toBe(false);
    expect(awaitsOthers([ends, ends])).toBe(false);
  });

  it('goes on for those who wait already', () => {
    expect(awaitsOthers([{ pending: 150, count: 100, within: 300 }], true)).toBe(true);
    expect(awaitsOthers([ends], true)).toBe(false);
  });
});

describe('PromptTurns', () => {
  const of = { pending: (count: number) => count, fits: (count: number) => count <= 100 };

  it('reads in the order they came until those who came first have had some time', () => {
    const turns = new PromptTurns();
    expect(turns.next([900, 20], of)).toEqual([900, 20]);
    turns.took(120);
    expect(turns.next([800, 90, 20], of)).toEqual([20, 90]);
  });

  it('takes for short, on a machine where nothing fits into a batch, of which a quarter is left of the oldest', () => {
    const slow = { ...of, fits: () => false };
    const turns = new PromptTurns();
    turns.next([900], slow);
    turns.took(120);
    expect(turns.next([800, 201, 200, 20], slow)).toEqual([20, 200]);
  });

  it('lets short ones use no more time than those who came first have had', () => {
    const turns = new PromptTurns();
    turns.next([900, 20], of);
    turns.took(120);
    for (const ms of [60, 61]) {
      expect(turns.next([800, 20], of)).toEqual([20]);
      turns.took(ms);
    }
    expect(turns.next([800, 20], of)).toEqual([800, 20]);
  });

  it('forgets what was had long ago', () => {
    const turns = new PromptTurns();
    for (let round = 0; round < 50; round++) {
      turns.next([9_000], of);
      turns.took(120);
    }
    turns.next([8_000, 20], of);
    turns.took(1_001);
    expect(turns.next([8_000, 20], of)).toEqual([8_000, 20]);
  });

  it('overtakes nobody where all are short', () => {
    const turns = new PromptTurns();
    turns.took(120);
    expect(turns.next([90, 20], of)).toEqual([90, 20]);
  });
});

describe('PromptPace', () => {
  it('says how many tokens take so long', () => {
    const pace = new PromptPace();
    pace.learn(100, 50);
    expect(pace.pieceIn(200)).toBe(400);
  });

  it('follows a machine that slows down', () => {
    const pace = new PromptPace();
    pace.learn(100, 50);
    for (let i = 0; i < 20; i++) pace.learn(100, 500);
    expect(pace.pieceIn(1_000)).toBeLessThan(225);
  });

  it('takes no fewer than are worth a batch', () => {
    const pace = new PromptPace();
    pace.learn(100, 100_000);
    expect(pace.pieceIn(200)).toBe(8);
  });

  it('tells how much is read in a time as it is, whatever a piece has', () => {
    const pace = new PromptPace();
    pace.learn(20, 400);
    expect([pace.tokensIn(1_000), pace.pieceIn(1_000)]).toEqual([50, 128]);
  });

  it('takes as many as are read the fast way, where that takes not much longer', () => {
    const pace = new PromptPace();
    const tokensAt = (msPerToken: number) => {
      for (let i = 0; i < 20; i++) pace.learn(20, 20 * msPerToken);
      return pace.pieceIn(1_000);
    };
    expect([5, 10, 20, 40, 50].map(tokensAt)).toEqual([200, 128, 128, 64, 20]);
  });

  it('takes fewer where others wait, so that a token of theirs comes in time far into a long prompt as well', () => {
    const pace = new PromptPace();
    pace.learn(8, 240);
    expect(pace.pieceIn(promptRoundMs([decoding]))).toBe(4);
  });

  it('goes by how fast others began until it knows its own prompt', () => {
    const all = new PromptPace();
    const own = new PromptPace(all);
    all.learn(100, 100);
    expect(own.pieceIn(200)).toBe(200);
    own.learn(100, 200);
    own.learn(100, 10_000);
    expect(own.pieceIn(200)).toBeLessThan(10);
    expect(all.pieceIn(200)).toBeGreaterThan(100);
  });

  it('learns nothing from batches that hold hardly any prompt', () => {
    const pace = new PromptPace();
    const before = pace.pieceIn(200);
    pace.learn(2, 1_000);
    expect(pace.pieceIn(200)).toBe(before);
  });
});

import type { Token } from 'node-llama-cpp';
import { expect, it } from 'vitest';
import type { KeptPrompt, PromptKeeper } from '../../../../../src-main/inference/child/kept-prompts/kept-prompts.ts';
import type { Addon, BatchItem } from '../../../../../src-main/inference/child/loop/addon.ts';
import { BatchLoop } from '../../../../../src-main/inference/child/loop/batch-loop.ts';
import type { SequenceTask } from '../../../../../src-main/inference/child/loop/sequence-task.ts';

const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, index) => (from + index) as Token);
const INSTRUCTIONS = tokens(700);
const kept: KeptPrompt = { key: 'k', tokens: INSTRUCTIONS };
const prompt = (question: number) => [...INSTRUCTIONS, ...tokens(20, question)];

interface Asked {
  prompt: Token[];
  answer?: number;
  fresh?: boolean;
  kept?: KeptPrompt | undefined;
}

/** A loop whose batches take a millisecond for each token, and whose keeper remembers what it was asked. */
function setUp(given: ReturnType<PromptKeeper['load']> | 'absent' | 'loaded' | 'broken' = 'absent') {
  const held = new Map<number, number>();
  const loads: number[] = [];
  const saves: { holds: number | undefined; readMs: number; mostMs: number }[] = [];
  const cleared: number[] = [];
  const trusted: string[] = [];
  let clock = 0;
  const evaluated: number[] = [];
  const addon = {
    fails: false,
    decode(items: readonly BatchItem[]) {
      if (this.fails) throw new Error('Eval has failed');
      for (const { sequence, position, tokens: piece } of items) {
        clock += piece.length;
        evaluated.push(...piece);
        held.set(sequence, position + piece.length);
      }
      return { logits: items.map(({ logits }) => logits.map(() => 0)), done: Promise.resolve() };
    },
    useAdapter: () => undefined,
    copy: async () => undefined,
    truncate: () => true,
    clear: (sequence: number) => void cleared.push(sequence),
    firstPosition: () => 0,
  };
  const keeper: PromptKeeper = {
    load: async (_, __, mostMs) => {
      loads.push(mostMs);
      return await given;
    },
    trust: async ({ key }) => void trusted.push(key),
    save: async (_, sequence, readMs, mostMs) => {
      saves.push({ holds: held.get(sequence), readMs, mostMs });
    },
  };
  const loop = new BatchLoop({
    ...{
      addon: addon as unknown as Addon,
      keeper,
      sequences: 2,
      contextSize: 4_096,
      batchSize: 512,
      window: undefined,
    },
    ...{ onRound: () => undefined, now: () => clock },
  });
  const ask = async ({ prompt: read, answer = 1, fresh, ...more }: Asked) => {
    const done = Promise.withResolvers<number>();
    let cached = -1;
    let left = answer;
    const all = [...read];
    const task: SequenceTask = {
      ...{ tokens: all, logitsFrom: read.length - 1, fresh, kept: 'kept' in more ? more.kept : kept },
      get ended() {
        return left === 0;
      },
      onLogits: async () => {
        if (--left > 0) all.push(9_999 as Token);
      },
      fail: done.reject,
      dispose: () => done.resolve(cached),
    };
    loop.submit({ ended: false, begin: () => task, onSequence: (count) => (cached = count), fail: done.reject });
    return await done.promise;
  };
  return { addon, ask, loads, saves, cleared, trusted, evaluated };
}

it('keeps the instructions when a sequence holds them and nothing else, with what reading them took', async () => {
  const { ask, saves, loads } = setUp();
  expect(await ask({ prompt: prompt(5_000) })).toBe(0);
  expect(saves).toEqual([{ holds: 700, readMs: 700, mostMs: 2_000 }]);
  expect(loads).toEqual([Number.POSITIVE_INFINITY]);
});

it('neither keeps nor looks for what memory has', async () => {
  const { ask, saves, loads } = setUp();
  await ask({ prompt: prompt(5_000) });
  expect(await ask({ prompt: prompt(6_000) })).toBe(700);
  expect([saves.length, loads.length]).toEqual([1, 1]);
});

it('reads only what is not on the disk', async () => {
  const { ask, saves, evaluated } = setUp('loaded');
  expect(await ask({ prompt: prompt(5_000) })).toBe(700);
  expect(evaluated).toEqual(tokens(20, 5_000));
  expect(saves).toEqual([]);
});

it('trusts what was on the disk when a batch has gone on with it, and not before', async () => {
  const { addon, ask, trusted } = setUp('loaded');
  addon.fails = true;
  await expect(ask({ prompt: prompt(5_000) })).rejects.toThrow('Eval has failed');
  addon.fails = false;
  expect(trusted).toEqual([]);
  await ask({ prompt: prompt(5_000) });
  expect(trusted).toEqual([kept.key]);
});

it('reads all of it where the disk has left a sequence broken', async () => {
  const { ask, cleared, evaluated } = setUp('broken');
  expect(await ask({ prompt: prompt(5_000) })).toBe(0);
  expect(cleared).toEqual([expect.any(Number)]);
  expect(evaluated).toEqual(prompt(5_000));
});

it('gives the disk a tenth of a second where others wait', async () => {
  const { ask, saves, loads } = setUp();
  await Promise.all([
    ask({ prompt: tokens(2, 8_000), answer: 500, kept: undefined }),
    ask({ prompt: prompt(5_000), answer: 2 }),
  ]);
  expect(loads).toEqual([100]);
  expect(saves).toEqual([{ holds: 700, readMs: expect.any(Number), mostMs: 100 }]);
});

it('has nothing to do with the disk for a fresh answer, nor for one that says nothing of it', async () => {
  const { ask, saves, loads } = setUp('loaded');
  expect(await ask({ prompt: prompt(5_000), fresh: true })).toBe(0);
  await ask({ prompt: tokens(720, 20_000), kept: undefined });
  expect([saves, loads]).toEqual([[], []]);
});

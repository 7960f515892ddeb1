import { expect, it } from 'vitest';
import { noteOn } from '../../../src-main/cli/ask.ts';
import type { GenerateResult, Paid } from '../../../src-preload/contract/inference.ts';

const result: GenerateResult = {
  text: 'So it is.',
  finish: 'stop',
  promptTokens: 9,
  cachedTokens: 0,
  completionTokens: 4,
  queuedMs: 0,
  firstTokenMs: 9,
  totalMs: 16,
  tokensPerSecond: 454.4,
};

it('says of the rate that it is of the writing alone: the time has the reading in it', () => {
  expect(noteOn({ type: 'done', result })).toBe('4 tokens in 16 ms; once it wrote, 454 tokens/s');
});

it('names no rate where there is none to measure', () => {
  const one = { ...result, completionTokens: 1, tokensPerSecond: 0 };
  expect(noteOn({ type: 'done', result: one })).toBe('1 token in 16 ms');
});

it.each<[string, Paid['from'][]]>([
  ['2 credits from what it owed you', ['claim']],
  ['2 credits by voucher', ['vouchers']],
  ['2 credits on trust', ['gift']],
  ['2 credits on trust, by somebody’s word', ['word']],
  ['2 credits among friends', ['friend']],
  ['4 credits on trust', ['gift', 'gift']],
  ['4 credits on trust and from what it owed you', ['gift', 'claim']],
])('says what an answer of the mesh cost: %s', (text, sources) => {
  const paid = sources.map((from) => ({ worker: 'ab'.repeat(32), credits: 2, from }));
  expect(noteOn({ type: 'done', result }, paid)).toBe(`4 tokens in 16 ms; once it wrote, 454 tokens/s; ${text}`);
});

it('counts places in the queue from one, and says nothing of a queue where the answer begins at once', () => {
  const worker = 'ab'.repeat(32);
  expect(noteOn({ type: 'queued', worker, position: 0, etaMs: 2_000 })).toMatch(
    /^place 1 in the queue of abababab.*, about 2/,
  );
  expect(noteOn({ type: 'queued', worker, position: 0, etaMs: 0 })).toBeUndefined();
});

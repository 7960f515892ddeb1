import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { textHash, visibleText } from '../../../../src-main/learning/visible-text.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

describe('what people see of an answer', () => {
  it.each([
    ['Plain.', 'Plain.'],
    ['  Plain.\n', 'Plain.'],
    ['<think>Hm.\nLet me see.</think>\n\nFour.', 'Four.'],
    ['One <think>a</think>two<think>b</think> three', 'One two three'],
    ['I was told to think so.</think> Four.', 'Four.'],
    ['One <think>a</think> two</think> three', 'three'],
    ['<think>a <think>b</think> c', 'c'],
    ['Not over: <think>half a thou', 'Not over: <think>half a thou'],
    ['<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Four.<|return|>', 'Four.'],
    ['<|channel|>analysis<|message|>Only that.<|end|>', ''],
    ['<|channel|>final <|constrain|>json<|message|>{"a":1}<|end|>', '{"a":1}'],
    ['<|channel|>commentary to=final<|message|>No.<|call|>', ''],
    ['<|channel|>final', ''],
    ['', ''],
  ])('%j is %j', (raw, seen) => {
    expect(visibleText(raw)).toBe(seen);
  });

  it('takes time in proportion to the text, however it is made', async () => {
    const hostile = ['<think>', '</think>', '<|channel|>final<|message|>', '<|channel|>', ' \n'];
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(2_000_000 / piece.length));
      expect(await cpuMs(() => textHash(text))).toBeLessThan(1_500);
    }
  });
});

describe('the hash of it', () => {
  it('is that of the text with each run of white space as one space', () => {
    const hash = createHash('sha256').update('Four is even.').digest('hex');
    expect(textHash('Four  is\n\teven. ')).toBe(hash);
    expect(textHash('<think>2 + 2</think>Four is even.')).toBe(hash);
    expect(textHash('Four is odd.')).not.toBe(hash);
  });
});

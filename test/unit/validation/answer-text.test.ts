import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgedText, lastBlock, withoutThoughts } from '../../../src-main/validation/answer-text.ts';

it.each([
  ['plain', 'plain'],
  ['<think>no</think>yes', 'yes'],
  ['<THINKING>no</thinking> yes', ' yes'],
  ['no</think>yes', 'yes'],
  ['one<think>a<think>b</think>c</think>two', 'onetwo'],
  ['before<think>and never an end', 'before'],
  ['a<think>b</think>c<think>d</think>e', 'ace'],
])('of %j only %j was said aloud', (text, said) => {
  expect(withoutThoughts(text)).toBe(said);
});

it.each([
  ['<Answer>1</Answer>', '1'],
  ['<answer>1</ANSWER> no, <answer>2\n3</answer>', '2\n3'],
  ['<Answer>1</Answer><Answer>2', '1'],
  ['<Answer>1<Answer>2</Answer>', '2'],
  ['</Answer>1', undefined],
  ['1', undefined],
])('the last block of %j is %j', (text, block) => {
  expect(lastBlock(text, 'Answer')).toBe(block);
});

it('passes over hostile answers once', () => {
  for (const piece of ['<think>', '</think>', '<Answer>', '</Answer>', '<']) {
    const text = piece.repeat(4_000_000 / piece.length); // who went back over it would take hours
    expect(withoutThoughts(text).length).toBeLessThanOrEqual(text.length);
    expect(lastBlock(text, 'Answer')).toBeUndefined();
  }
  fc.assert(fc.property(fc.string(), (text) => typeof withoutThoughts(text) === 'string'));
});

it.each([
  ['a\0b\u001b[31mc', 'a\ufffdb\ufffd[31mc'],
  ['line\r\n\tend\u007f', 'line\r\n\tend\ufffd'],
  ['half \ud83d', 'half \ufffd'],
  ['x'.repeat(60_001), 'x'.repeat(60_000)],
])('of %j %j is judged', (answer, text) => {
  expect(judgedText(answer)).toBe(text);
});

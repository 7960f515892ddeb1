import { expect, it } from 'vitest';
import { farTooLong } from '../../../../src-main/inference/child/prompt-size.ts';

/** A vocabulary whose tokens are 4 characters long. */
function counter() {
  const counted: number[] = [];
  const count = (text: string) => {
    counted.push(text.length);
    return Math.ceil(text.length / 4);
  };
  return { counted, count };
}
const user = (content: string) => ({ messages: [{ role: 'user' as const, content }] });

it('looks no further than it has to, and says about how long it is', () => {
  const { counted, count } = counter();
  const tokens = farTooLong(user('x'.repeat(1_000_000)), 1_024, count);
  expect(tokens).toBeGreaterThan(240_000);
  expect(tokens).toBeLessThan(260_000);
  expect(counted.reduce((sum, chars) => sum + chars, 0)).toBeLessThanOrEqual(3 * 4_096);
});

it('counts nothing of what is short enough to be read as a whole', () => {
  const { counted, count } = counter();
  expect(farTooLong(user('x'.repeat(16 * 1_024)), 1_024, count)).toBeUndefined();
  expect(farTooLong({ prompt: 'ü'.repeat(8 * 1_024) }, 1_024, count)).toBeUndefined();
  expect(counted).toEqual([]);
});

it('lets through what might fit: tokens that are very long', () => {
  expect(farTooLong({ prompt: ' '.repeat(50_000) }, 1_024, (text) => Math.ceil(text.length / 80))).toBeUndefined();
});

it('counts nothing that a template may leave out', () => {
  const { count } = counter();
  const thought = { role: 'assistant' as const, content: 'x'.repeat(500_000) };
  const spaced = { role: 'user' as const, content: `${' '.repeat(500_000)}Hello` };
  expect(farTooLong({ messages: [spaced, thought, spaced] }, 1_024, count)).toBeUndefined();
});

it('adds up many short messages', () => {
  const { count } = counter();
  const messages = Array.from({ length: 1_000 }, () => ({ role: 'user' as const, content: 'x'.repeat(400) }));
  expect(farTooLong({ messages }, 1_024, count)).toBeGreaterThan(80_000);
});

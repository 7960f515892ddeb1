import { describe, expect, it } from 'vitest';
import type { ToolUse, Turn } from '../../../src-preload/contract/conversations.ts';
import { markdownOf } from '../../../src-renderer/pages/playground/conversations/export-conversation.ts';
import { answerPieces, givenTo } from '../../../src-renderer/pages/playground/tools/answer-pieces.ts';

const use = (number: number, at: number): ToolUse => ({
  number,
  at,
  round: 1,
  tool: 'calculator',
  arguments: '{"expression":"12 * 7"}',
  result: '84',
  failed: false,
});

describe('the pieces of an answer', () => {
  it('come in the order in which they came, without the lines between them', () => {
    const uses = [use(0, 7), use(1, 7), use(2, 14)];
    expect(answerPieces('I look.\n\nHm.\n\nIt is 84.', uses)).toEqual([
      { text: 'I look.' },
      { use: uses[0] },
      { use: uses[1] },
      { text: 'Hm.' },
      { use: uses[2] },
      { text: 'It is 84.' },
    ]);
  });

  it('are its text where no tool was used, letter for letter', () => {
    expect(answerPieces('\n a \n')).toEqual([{ text: '\n a \n' }]);
    expect(answerPieces('')).toEqual([]);
  });

  it('hold while it grows, and where a use lies beyond its end', () => {
    expect(answerPieces('', [use(0, 0)])).toEqual([{ use: use(0, 0) }]);
    expect(answerPieces('ab', [use(0, 99)])).toEqual([{ text: 'ab' }, { use: use(0, 99) }]);
  });
});

it('a line says what a tool was given, whatever a model wrote', () => {
  const given = (json: string) => givenTo({ arguments: json });
  expect(given('{"expression":"12 * 7"}')).toBe('12 * 7');
  expect(given('{"a":1,"b":[true]}')).toBe('1, [true]');
  expect(given('{}')).toBe('');
  expect(given('null')).toBe('null');
  expect(given('{"cut')).toBe('{"cut');
});

it('an export has what was called and what came of it', () => {
  const figures = { tokens: 1, firstTokenMs: 1, totalMs: 1, tokensPerSecond: 1, paid: [], error: null };
  const answer = { state: 'done' as const, target: 'local' as const, worker: null, model: null, ...figures };
  const turn: Turn = { id: 2, role: 'assistant', text: 'It is 84.', at: 1, answer: { ...answer, uses: [use(0, 0)] } };
  const conversation = { id: 'a', title: 'T', createdAt: 1, updatedAt: 1, options: { target: 'local' as const } };
  const speakers = { you: 'You', answer: 'Answer', titleOf: (name: string) => name };
  expect(markdownOf({ conversation, turns: [turn] }, speakers)).toBe(
    '# T\n\n## Answer\n\n> calculator {"expression":"12 * 7"}\n> 84\n\nIt is 84.\n',
  );
});

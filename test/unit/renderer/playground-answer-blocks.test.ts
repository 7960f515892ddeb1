import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerBlocks, answerParts } from '../../../src-renderer/pages/playground/turns/answer-blocks.ts';
import { HOSTILE_ANSWERS } from '../../support/hostile-answers.ts';

const blocksOf = (text: string) => answerBlocks(text).map(({ kind, text }) => [kind, text]);
const joined = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text).join('');
/** What of an answer a Markdown reader gets to see, and what is shown letter for letter. */
function shownAs(text: string) {
  const parts = answerParts(answerBlocks(text), false);
  return {
    read: joined(parts.filter(({ kind }) => kind !== 'plain')),
    plain: joined(parts.filter(({ kind }) => kind === 'plain')),
  };
}

describe('the blocks of an answer', () => {
  it('end at empty lines, which belong to them', () => {
    expect(blocksOf('one\ntwo\n\nthree')).toEqual([
      ['prose', 'one\ntwo\n\n'],
      ['prose', 'three'],
    ]);
  });

  it('keep code with empty lines in one piece, even before its end has come', () => {
    const code = '```ts\nconst a = 1;\n\nconst b = 2;';
    expect(blocksOf(`text\n\n${code}`)).toEqual([
      ['prose', 'text\n\n'],
      ['code', code],
    ]);
    expect(blocksOf(`text\n${code}\n\`\`\`\nafter`)).toEqual([
      ['prose', 'text\n'],
      ['code', `${code}\n\`\`\`\n`],
      ['prose', 'after'],
    ]);
  });

  it('end code only with a fence of its own kind, as long and with nothing behind it', () => {
    const code = '````\n```\n~~~~\n```` x\n    ````\n  ````` \n';
    expect(blocksOf(`${code}end`)).toEqual([
      ['code', code],
      ['prose', 'end'],
    ]);
    expect(blocksOf('```a`b\ntext')).toEqual([['prose', '```a`b\ntext']]);
  });

  it('are shown as one while they are prose, so that a list goes on after an empty line; but not while they come', () => {
    const blocks = answerBlocks('1. one\n\n2. two\n```\ncode\n```\nend');
    expect(answerParts(blocks, false).map(({ text }) => text)).toEqual([
      '1. one\n\n2. two\n',
      '```\ncode\n```\n',
      'end',
    ]);
    expect(answerParts(blocks, true).map(({ text }) => text)).toEqual([
      '1. one\n\n',
      '2. two\n',
      '```\ncode\n```\n',
      'end',
    ]);
  });
});

describe('what is read as Markdown', () => {
  it('is an answer as models write them', () => {
    const code = 'const matrix: number[][] = [[1, 2], [3, 4]]; // *not* _a_ mark\n'.repeat(150);
    const table = `| a | b | c |\n|---|---|---|\n${'| 1 | `two` | **three** |\n'.repeat(60)}`;
    const list = '1. One **point** with `code`\n   - and another\n     - below it\n\n'.repeat(40);
    const text = `# Title\n\n${'A sentence with *words* and a [link](https://example.com/). '.repeat(40)}\n\n\`\`\`ts\n${code}\`\`\`\n\n${table}\n> a quote\n> > in a quote\n\n${list}end`;
    expect(shownAs(text)).toEqual({ read: text, plain: '' });
  });

  it.each(Object.entries(HOSTILE_ANSWERS))('is little, and the rest is shown as it is: %s', (_name, text) => {
    const { read, plain } = shownAs(text);
    expect(read.length).toBeLessThanOrEqual(100_000);
    expect(read.length + plain.length).toBe(text.length);
  });

  it.each([
    '3,000 quotes',
    '4,000 lists',
    '4,000 brackets',
    '50,000 stars',
    '8,000 words with tildes',
    'emphasis in emphasis',
    'a table of 2,000 columns',
    'a table whose rows are left out',
    'one line of 1 MB',
    'lists by their columns behind a return alone',
    'lists by their columns in a quote',
  ])('is nothing of %s', (name) => {
    expect(shownAs(HOSTILE_ANSWERS[name] ?? '')).toEqual({ read: '', plain: HOSTILE_ANSWERS[name] });
  });

  it('is what stands around a block that is plain', () => {
    expect(answerParts(answerBlocks(`before\n\n${'>'.repeat(3_000)}\n\nafter`), false).map(({ kind }) => kind)).toEqual(
      ['prose', 'plain', 'prose'],
    );
  });

  it('ends where an answer has cost enough, in few pieces', () => {
    const parts = answerParts(answerBlocks('a\n\n'.repeat(300_000)), false);
    expect(parts.map(({ kind }) => kind).slice(0, 2)).toEqual(['prose', 'plain']);
    expect(parts.length).toBeLessThan(100);
    expect(parts[0]?.text.length).toBeLessThan(10_000);
  });

  it('cuts no character in two', () => {
    const [first] = answerBlocks(`a${'😀'.repeat(20_000)}`);
    expect(first?.text.isWellFormed()).toBe(true);
  });
});

/** Text of the pieces that mean something to a reader, some of them a great many times. */
const hostileText = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          '>',
          '- ',
          '1. ',
          '[',
          '](',
          '*',
          '**a',
          '_',
          '~',
          '`',
          '```',
          '~~~',
          '<',
          '<!--',
          '-->',
          '|',
          '|-',
        ),
        fc.constantFrom(
          '\n',
          '\r',
          '\r\n',
          '\n\n',
          ' ',
          '    ',
          '\t',
          '\\',
          '[^a]',
          '[a]: b',
          '\u202e',
          '😀',
          '\0',
          'word',
        ),
        fc.string({ unit: 'binary', maxLength: 20 }),
      ),
      fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: 1, max: 9_000 })),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''));

describe('whatever an answer is', () => {
  it('its blocks are the whole of it, few and none too long, and what is read of it is bounded', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const blocks = answerBlocks(text);
        expect(joined(blocks)).toBe(text);
        expect(Math.max(0, ...blocks.map((block) => block.text.length))).toBeLessThanOrEqual(16_384);
        expect(joined(blocks.filter(({ kind }) => kind !== 'plain')).length).toBeLessThanOrEqual(100_000);
        // Each costs at least 50 of 100,000 until all is spent; two that follow then are longer than one may be. A block is
        // judged by its own text alone, so this is what bounds the work.
        expect(blocks.length).toBeLessThanOrEqual(2_001 + 2 * Math.ceil(text.length / 16_384));
        for (const growing of [true, false]) expect(joined(answerParts(blocks, growing))).toBe(text);
      }),
    );
  });

  it('a block that is not the last never changes while it grows, and it ends as if it had come at once', () => {
    fc.assert(
      fc.property(hostileText, fc.array(fc.nat(), { maxLength: 6 }), (text, places) => {
        const lengths = places.map((place) => place % (text.length + 1)).sort((one, other) => one - other);
        let before = answerBlocks('');
        for (const length of [...lengths, text.length]) {
          const blocks = answerBlocks(text.slice(0, length), before);
          expect(blocks.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
          before = blocks;
        }
        expect(before).toEqual(answerBlocks(text));
      }),
    );
  });
});

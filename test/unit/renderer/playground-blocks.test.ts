import { describe, expect, it } from 'vitest';
import { markdownBlocks } from '../../../src-renderer/pages/playground/markdown-blocks.ts';

describe('the blocks of an answer', () => {
  it('cuts at empty lines', () => {
    expect(markdownBlocks('one\ntwo\n\nthree')).toEqual(['one\ntwo', 'three']);
  });

  it('keeps code with empty lines in one piece, even before its end has come', () => {
    const code = '```ts\nconst a = 1;\n\nconst b = 2;';
    expect(markdownBlocks(`text\n\n${code}`)).toEqual(['text', code]);
    expect(markdownBlocks(`${code}\n\`\`\`\n\nafter`)).toEqual([`${code}\n\`\`\``, 'after']);
  });

  it('never changes a block that is not the last when text is added', () => {
    const text = 'a\n\nb\n\n```\nx\n\ny\n```\n\n- one\n\n- two\n\nend';
    let before: string[] = [];
    for (let length = 1; length <= text.length; length++) {
      const blocks = markdownBlocks(text.slice(0, length));
      expect(blocks.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      before = blocks;
    }
  });
});

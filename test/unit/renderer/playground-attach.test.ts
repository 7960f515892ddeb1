import { expect, it } from 'vitest';
import { MAX_FILES, MAX_FILES_CHARS } from '../../../src-preload/contract/limits.ts';
import { attach, charsOf, tokensIn } from '../../../src-renderer/pages/playground/attach.ts';

const one = (content: string | Uint8Array<ArrayBuffer>, name = 'a.txt', before: Parameters<typeof attach>[2] = []) =>
  attach([new Blob([content])], [name], before);

it('text goes with a question, with the size that it takes', async () => {
  const { files, unfit } = await attach([new Blob(['Größe']), new Blob([''])], ['größe.md', ' '], []);
  expect(files).toEqual([
    { name: 'größe.md', text: 'Größe' },
    { name: '?', text: '' },
  ]);
  expect(unfit).toBeUndefined();
  expect([charsOf(files), tokensIn(5), tokensIn(0)]).toEqual([5, 2, 0]);
});

it.each([
  ['a PDF', new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0xb5, 0xed, 0xae])],
  ['UTF-16', new Uint8Array([0x48, 0, 0x69, 0])],
  ['half a character', new Uint8Array([0xc3])],
])('%s is no text', async (_, bytes) => {
  expect(await one(bytes)).toEqual({ files: [], unfit: { name: 'a.txt', why: 'noText' } });
});

it('what was there stays when something is too long, or one too many', async () => {
  const before = [{ name: 'b', text: 'x'.repeat(MAX_FILES_CHARS - 2) }];
  expect(await one('123', 'a', before)).toEqual({ files: before, unfit: { name: 'a', why: 'tooLong' } });
  expect((await one('12', 'a', before)).files).toHaveLength(2);
  expect((await one('x'.repeat(4 * MAX_FILES_CHARS + 1))).unfit?.why).toBe('tooLong');
  const many = Array.from({ length: MAX_FILES }, () => ({ name: 'b', text: '' }));
  expect(await one('1', 'a', many)).toEqual({ files: many, unfit: { name: 'a', why: 'tooMany' } });
});

import { expect, it } from 'vitest';
import { MAX_FILE_PIECE_CHARS, MAX_FILES, MAX_LONG_FILE_CHARS } from '../../../src-preload/contract/limits.ts';
import { attach, divided, piecesOf, tokensIn } from '../../../src-renderer/pages/playground/files/attach.ts';

const pdf = async () => ({ text: 'of a PDF' });
const one = (content: string | Uint8Array<ArrayBuffer>, name = 'a.txt', before: Parameters<typeof attach>[2] = []) =>
  attach([new Blob([content])], [name], before, pdf);

it('text goes with a question, with the size that it takes', async () => {
  const { files, unfit } = await attach([new Blob(['Größe']), new Blob([''])], ['größe.md', ' '], [], pdf);
  expect(files).toEqual([
    { name: 'größe.md', text: 'Größe' },
    { name: '?', text: '' },
  ]);
  expect(unfit).toBeUndefined();
  expect([tokensIn(5), tokensIn(0)]).toEqual([2, 0]);
});

it('a PDF is known by how it begins, whatever it is called', async () => {
  expect((await one('\n%PDF-1.4 …', 'a.txt')).files).toEqual([{ name: 'a.txt', text: 'of a PDF' }]);
  const locked = async () => ({ fault: 'pdfLocked' }) as const;
  const { files, unfit } = await attach([new Blob(['%PDF-1.4'])], ['a.pdf'], [], locked);
  expect([files, unfit]).toEqual([[], { name: 'a.pdf', why: 'pdfLocked' }]);
});

it.each([
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
  ['UTF-16', new Uint8Array([0x48, 0, 0x69, 0])],
  ['half a character', new Uint8Array([0xc3])],
])('%s is no text', async (_, bytes) => {
  expect(await one(bytes)).toEqual({ files: [], unfit: { name: 'a.txt', why: 'noText' } });
});

it('what was there stays when something is too long, or one too many', async () => {
  const before = [{ name: 'b', text: 'x' }];
  const tooLong = { files: before, unfit: { name: 'a', why: 'tooLong' } };
  expect(await one('x'.repeat(MAX_LONG_FILE_CHARS + 1), 'a', before)).toEqual(tooLong);
  expect(await one('x'.repeat(4 * MAX_LONG_FILE_CHARS + 1), 'a', before)).toEqual(tooLong);
  expect((await one('x'.repeat(MAX_LONG_FILE_CHARS), 'a', before)).files).toHaveLength(2);
  const many = Array.from({ length: MAX_FILES }, () => ({ name: 'b', text: '' }));
  expect(await one('1', 'a', many)).toEqual({ files: many, unfit: { name: 'a', why: 'tooMany' } });
});

it('files go whole as long as they take half of the context; longer ones are searched', () => {
  const [small, large, other] = [16_000, 16_000, 384].map((length) => ({ text: 'x'.repeat(length) }));
  if (!small || !large || !other) throw new Error('Three files are wanted.');
  expect(divided([small, large, other])).toEqual({ whole: [small, other], long: [large] });
  expect(divided([small, large, other], 32_768)).toEqual({ whole: [small, large, other], long: [] });
  expect(divided([other, small], 256)).toEqual({ whole: [other], long: [small] });
});

it('a long file goes to the node in pieces that cut no character in two', () => {
  const text = `x${'𝔸'.repeat(MAX_FILE_PIECE_CHARS)}`;
  const pieces = [...piecesOf(text)];
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= MAX_FILE_PIECE_CHARS)).toBe(true);
});

it('a picture is told as one, whatever its name; one that is text goes along', async () => {
  const picture = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], { type: 'image/png' });
  expect((await attach([picture], ['a.png'], [], pdf)).unfit).toEqual({ name: 'a.png', why: 'picture' });
  const drawing = new Blob(['<svg/>'], { type: 'image/svg+xml' });
  expect((await attach([drawing], ['a.svg'], [], pdf)).unfit).toBeUndefined();
});

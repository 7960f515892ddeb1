import { describe, expect, it } from 'vitest';
import { MAX_PDF_PAGES } from '../../../src-preload/contract/limits.ts';
import { pdfText } from '../../../src-renderer/pages/playground/files/pdf-text.ts';
import { smallPdf } from '../../support/small-pdf.ts';

const read = (bytes: Buffer) => pdfText(new Uint8Array(bytes), () => {});

describe('a PDF', () => {
  it('is read page by page, line by line', async () => {
    const pages: [number, number][] = [];
    const bytes = smallPdf([['The first line (of two).', 'The second.'], ['Another page.']], { deflated: true });
    expect(await pdfText(new Uint8Array(bytes), (...page) => pages.push(page))).toEqual({
      text: 'The first line (of two).\nThe second.\fAnother page.',
    });
    expect(pages).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it('with pictures of pages alone has no text, nor one with a stamp on them', async () => {
    expect(await read(smallPdf([[], [], []]))).toEqual({ fault: 'pdfScanned' });
    expect(await read(smallPdf([['A stamp'], [], [], []]))).toEqual({ fault: 'pdfScanned' });
  });

  it('with a password is told from one that is damaged', async () => {
    expect(await read(smallPdf([['Secret.']], { locked: true }))).toEqual({ fault: 'pdfLocked' });
  });

  it('with too many pages is not begun', async () => {
    const pages: number[] = [];
    const bytes = smallPdf(Array.from({ length: MAX_PDF_PAGES + 1 }, () => ['Text.']));
    expect(await pdfText(new Uint8Array(bytes), (page) => pages.push(page))).toEqual({ fault: 'pdfPages' });
    expect(pages).toEqual([]);
  });

  it('that unpacks to more text than may be is left when that shows', async () => {
    const page = Array.from({ length: 50 }, () => 'x'.repeat(80));
    const bytes = smallPdf([page, page, page], { deflated: true });
    const pages: number[] = [];
    expect(bytes.length).toBeLessThan(2_000);
    expect(await pdfText(new Uint8Array(bytes), (done) => pages.push(done), 8_200)).toEqual({ fault: 'tooLong' });
    expect(pages).toEqual([1, 2]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a beginning alone', Buffer.from('%PDF-1.7\n')],
    ['zeros', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100_000)])],
    ['a page that is its own parent', damaged('/Parent 2 0 R', '/Parent 4 0 R')],
    ['a tree of pages that leads to itself', damaged('/Kids [4 0 R]', '/Kids [2 0 R]')],
    ['a false number of pages', damaged('/Count 1', '/Count 9')],
    ['a stream without an end', smallPdf([['Text.']]).subarray(0, 400)],
  ])('that holds %s ends, and says that it is damaged or what could be read', async (_, bytes) => {
    const found = await read(bytes);
    expect('fault' in found ? ['pdfBroken', 'pdfScanned'].includes(found.fault) : found.text).toBeTruthy();
  });
});

function damaged(from: string, to: string): Buffer {
  const bytes = smallPdf([['A page with some text.']]).toString('latin1');
  if (!bytes.includes(from)) throw new Error(`The file has no «${from}».`);
  return Buffer.from(bytes.replace(from, to), 'latin1');
}

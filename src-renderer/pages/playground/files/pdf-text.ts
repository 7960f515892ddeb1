// The build for older engines, too: a node's screens are opened with whatever browser is there.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { MAX_LONG_FILE_CHARS, MAX_PDF_PAGES } from '../../../../src-preload/contract/limits.ts';

/** Why no text can be had of a PDF. */
export type PdfFault = 'pdfLocked' | 'pdfScanned' | 'pdfPages' | 'pdfBroken' | 'tooLong';

/** What came of a PDF. */
export type PdfRead<Fault = PdfFault> = { text: string } | { fault: Fault };

/** Characters a page with text has at least, on the whole: below, it is pictures of pages with a stamp on them. */
const SCANNED_CHARS = 10;

type OnPage = (done: number, total: number) => void;
type Pdf = Awaited<ReturnType<typeof getDocument>['promise']>;

/**
 * The text of a PDF, page by page; each page but the first begins with a form feed. In this thread, and for as long as a
 * hostile file wants: whoever calls bounds the time.
 *
 * @param onPage told after each page, how many of how many are read
 * @param most characters; of longer ones nothing is given
 */
export async function pdfText(bytes: Uint8Array, onPage: OnPage, most = MAX_LONG_FILE_CHARS): Promise<PdfRead> {
  const loading = getDocument({
    data: bytes,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    verbosity: 0,
  });
  try {
    return await allPages(await loading.promise, onPage, most);
  } catch (error) {
    return { fault: (error as Error)?.name === 'PasswordException' ? 'pdfLocked' : 'pdfBroken' };
  } finally {
    await loading.destroy();
  }
}

async function allPages(pdf: Pdf, onPage: OnPage, most: number): Promise<PdfRead> {
  const { numPages } = pdf;
  if (numPages > MAX_PDF_PAGES) return { fault: 'pdfPages' };
  const pages: string[] = [];
  let room = most;
  for (let number = 1; number <= numPages; number++) {
    const page = await pageText(pdf, number, room);
    room -= page.length + 1;
    if (room < 0) return { fault: 'tooLong' };
    pages.push(page);
    onPage(number, numPages);
  }
  const text = pages.join('\f');
  return text.replace(/\s/g, '').length < SCANNED_CHARS * numPages ? { fault: 'pdfScanned' } : { text };
}

/** @param room characters after which nothing more is read */
async function pageText(pdf: Pdf, number: number, room: number): Promise<string> {
  const page = await pdf.getPage(number);
  const reader = page.streamTextContent().getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    for (const item of value.items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
    if (text.length <= room) continue;
    await reader.cancel(new Error('it is too long'));
    break;
  }
  page.cleanup();
  return text.replace(/[\f\0]/g, ' ').toWellFormed();
}

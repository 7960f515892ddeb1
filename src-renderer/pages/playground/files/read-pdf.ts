import { MAX_PDF_BYTES } from '../../../../src-preload/contract/limits.ts';
import type { Unfit } from './attach.ts';
import type { PdfRead } from './pdf-text.ts';

/** Milliseconds that a PDF may take in all, and for one page: a hostile one never ends. */
const LONGEST_MS = 180_000;
const LONGEST_PAGE_MS = 20_000;

export interface PdfProgress {
  done: number;
  total: number;
}

/** What the thread says of itself; pdf.js may say other things. */
type Told = ({ quarry: 'page' } & PdfProgress) | ({ quarry: 'read' } & PdfRead);

/**
 * The text of a PDF, read in a thread of its own: see {@link pdfText}.
 * @throws AbortError when the signal aborts
 */
export async function readPdf(
  file: Blob,
  { signal, onPage }: { signal: AbortSignal; onPage: (progress: PdfProgress) => void },
): Promise<PdfRead<Unfit>> {
  if (file.size > MAX_PDF_BYTES) return { fault: 'pdfLarge' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  signal.throwIfAborted();
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<PdfRead<Unfit>>();
  const slow = () => resolve({ fault: 'pdfSlow' });
  const timer = setTimeout(slow, LONGEST_MS);
  let pageTimer = setTimeout(slow, LONGEST_PAGE_MS);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  worker.addEventListener('error', () => resolve({ fault: 'pdfBroken' }));
  worker.addEventListener('message', ({ data }: MessageEvent<Told | Record<string, never>>) => {
    if (data.quarry === 'read') resolve(data);
    if (data.quarry !== 'page') return;
    clearTimeout(pageTimer);
    pageTimer = setTimeout(slow, LONGEST_PAGE_MS);
    onPage(data);
  });
  worker.postMessage(bytes, [bytes.buffer]);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearTimeout(pageTimer);
    signal.removeEventListener('abort', abort);
    worker.terminate();
  }
}

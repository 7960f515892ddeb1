import { pdfText } from './pdf-text.ts';

/* Reads one PDF beside the page, which ends it when it takes too long or nobody waits for it. pdf.js speaks to the page too, when it starts. */

const page = self as unknown as {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
};

page.addEventListener('message', ({ data }) => {
  if (!(data instanceof Uint8Array)) return;
  void pdfText(data, (done, total) => page.postMessage({ quarry: 'page', done, total })).then((read) =>
    page.postMessage({ quarry: 'read', ...read }),
  );
});

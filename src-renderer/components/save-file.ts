/** Milliseconds after which a download has its own hold on the content for certain. */
const HELD_MS = 10_000;

/** Has the browser save a file among its downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), HELD_MS);
}

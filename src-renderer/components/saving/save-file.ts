/** Milliseconds after which a download has its own hold on the content for certain. */
const HELD_MS = 10_000;

/** Has the browser save a file among its downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  saveFrom(url, name);
  setTimeout(() => URL.revokeObjectURL(url), HELD_MS);
}

/** The same of a file that is fetched from an address of this origin. */
export function saveFrom(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Whether the server has other screens by now than those that this page was made of: it was updated meanwhile. */
export async function screensChanged(): Promise<boolean> {
  const ours = entryOf(document);
  const response = await fetch('./', { cache: 'no-store' });
  const theirs = entryOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
  return ours !== undefined && theirs !== undefined && ours !== theirs;
}

/** Whether loading the page again would take somebody's text away. */
export function isTyping(): boolean {
  const texts = [...document.querySelectorAll('textarea')];
  return texts.some(({ value }) => value !== '') || document.activeElement instanceof HTMLInputElement;
}

/** The script that the page begins with; its name changes with its content. */
function entryOf(page: Document): string | undefined {
  return page.querySelector('script[type="module"]')?.getAttribute('src') ?? undefined;
}

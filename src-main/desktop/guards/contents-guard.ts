import { shell, type WebContents } from 'electron';
import { isOwnPage } from './origin.ts';

/** The only places outside that the screens may open, and only in the system's browser. */
const OUTSIDE = ['https://huggingface.co/', 'https://github.com/'];

/** Holds a page to its place: it goes nowhere, opens nothing, embeds nothing. */
export function guardContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => stayHome(event));
  contents.on('will-frame-navigate', (event) => stayHome(event));
  contents.on('will-redirect', (event) => stayHome(event));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const address = outsideAddress(url);
    if (address) void shell.openExternal(address).catch(() => undefined);
    return { action: 'deny' };
  });
}

function stayHome(event: { url: string; preventDefault(): void }): void {
  if (!isOwnPage(event.url)) event.preventDefault();
}

/** The address as a browser reads it, if it is one of the places that may be opened; no user or port hides in it. */
export function outsideAddress(url: string): string | undefined {
  const parsed = url.length <= 2_000 ? URL.parse(url) : null;
  if (!parsed || parsed.username || parsed.password) return undefined;
  return OUTSIDE.some((place) => parsed.href.startsWith(place)) ? parsed.href : undefined;
}

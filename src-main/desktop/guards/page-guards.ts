import { type Session, shell, type WebContents } from 'electron';
import { ignoring } from '../../base/swallowed.ts';
import { APP_ORIGIN, APP_SCHEME, isOwnPage } from './origin.ts';

/** Schemes that pages may load from: their own, and what they made themselves. */
const ALLOWED = [APP_SCHEME, 'blob', 'data', 'devtools'].map((scheme) => `${scheme}:`);
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
    if (address) void shell.openExternal(address).catch(ignoring('no browser is there to open it'));
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

/**
 * Takes from the pages of a session whatever they do not need: every permission, every device, the network.
 * The one exception is to put text on the clipboard, which only happens at a click.
 */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isHarmless(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isHarmless(permission));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => protectedClasses);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isAllowed(url) }));
  session.on('will-download', (event, item) => {
    if (!isOwnMaking(item.getURL())) event.preventDefault();
  });
}

function isHarmless(permission: string): boolean {
  return permission === 'clipboard-sanitized-write';
}

function isAllowed(url: string): boolean {
  return ALLOWED.some((scheme) => url.startsWith(scheme));
}

/** What a page made itself, such as a table to save: the system then asks where to. */
function isOwnMaking(url: string): boolean {
  return url.startsWith(`blob:${APP_ORIGIN}/`);
}

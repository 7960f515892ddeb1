import type { Session } from 'electron';
import { APP_ORIGIN, APP_SCHEME } from './origin.ts';

/** Schemes that pages may load from: their own, and what they made themselves. */
const ALLOWED = [APP_SCHEME, 'blob', 'data', 'devtools'].map((scheme) => `${scheme}:`);

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

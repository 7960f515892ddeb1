import {
  type DisplayMediaRequestHandlerHandlerRequest,
  type MediaAccessPermissionRequest,
  type PermissionRequest,
  type Session,
  type Streams,
  shell,
  type WebContents,
  type WebPreferences,
} from 'electron';
import { ignoring } from '../../base/swallowed.ts';
import { APP_ORIGIN, APP_SCHEME, isOwnPage, isTrainerPage } from './origin.ts';

/** Schemes that pages may load from: their own, and what they made themselves. */
const ALLOWED = [APP_SCHEME, 'blob', 'data', 'devtools'].map((scheme) => `${scheme}:`);
/** The only places outside that the screens may open, and only in the system's browser. */
const OUTSIDE = ['https://huggingface.co/', 'https://github.com/'];

/** What no page of this app has: Node, other pages in it, whatever lets it out of its place. */
export const SHUT_PAGE = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const satisfies WebPreferences;

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
 * The exceptions, all of them at a click only: to put text on the clipboard; and, for the app's own page, to record what was chosen and what is said.
 *
 * @param chosen the screen or window that somebody has just chosen to record; undefined where nobody did
 */
export function guardSession(session: Session, chosen: () => Shared | undefined): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(isHarmless(permission) || isToRecord(permission, details));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { mediaType, isMainFrame }) => {
    const mediaTypes = mediaType === 'audio' ? ['audio' as const] : [];
    return isHarmless(permission) || isToRecord(permission, { requestingUrl: origin, isMainFrame, mediaTypes });
  });
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((request, answer) =>
    answer(mayShare(request) ? streams(request, chosen()) : null),
  );
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => protectedClasses);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isAllowed(url) }));
  session.on('will-download', (event, item) => {
    if (!isOwnMaking(item.getURL())) event.preventDefault();
  });
}

/** Takes everything from the pages of a session: they have their own scripts, and nothing else. */
export function shutSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => protectedClasses);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isTrainerPage(url) }));
  session.on('will-download', (event) => event.preventDefault());
}

/** Holds a page to the one address that it was opened with. */
export function shutContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp'); // no policy of a page forbids WebRTC its own way out
}

/** A screen or a window, as Electron names it. */
export interface Shared {
  id: string;
  name: string;
}

type AskedFor = Pick<PermissionRequest, 'requestingUrl' | 'isMainFrame'> &
  Pick<MediaAccessPermissionRequest, 'mediaTypes'>;

/** The screen, and the microphone: never a camera. */
function isToRecord(permission: string, { requestingUrl, isMainFrame, mediaTypes = [] }: AskedFor): boolean {
  if (!isMainFrame || !isOwnPage(requestingUrl)) return false;
  if (permission === 'display-capture') return true;
  return permission === 'media' && mediaTypes.length > 0 && mediaTypes.every((type) => type === 'audio');
}

/** The app's own page, and somebody has clicked. */
function mayShare({ frame, userGesture }: DisplayMediaRequestHandlerHandlerRequest): boolean {
  return userGesture && frame !== null && frame === frame.top && isOwnPage(frame.url);
}

/** The sound of the computer can be had on Windows alone. Null for nothing: an empty object would throw in main. */
function streams(
  { audioRequested }: DisplayMediaRequestHandlerHandlerRequest,
  shared: Shared | undefined,
): Streams | null {
  if (!shared) return null;
  const { id, name } = shared;
  return { video: { id, name }, ...(audioRequested && process.platform === 'win32' && { audio: 'loopback' as const }) };
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

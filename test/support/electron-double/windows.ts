import { EventEmitter } from 'node:events';
import type {
  BrowserWindowConstructorOptions,
  BrowserWindow as ElectronWindow,
  Protocol,
  Session,
  WebContents,
} from 'electron';
import { app } from './app.ts';
import { channel } from './channel.ts';
import { DoublePort } from './message-port.ts';
import { SESSION_DOORS } from './session-doors.ts';

type Handler = (request: Request) => Response | Promise<Response>;
type Opener = Parameters<WebContents['setWindowOpenHandler']>[0];

const handlers = new Map<string, Handler>();
const windows = new Map<number, BrowserWindow>();

export const ipcMain = new EventEmitter();

export const protocol = {
  registerSchemesAsPrivileged: () => undefined,
  handle: (scheme: string, handler: Handler) => void handlers.set(scheme, handler),
} satisfies Pick<Protocol, 'registerSchemesAsPrivileged'> & { handle: unknown };

/** Keeps what the app forbids pages to do. */
export const session = {
  defaultSession: Object.assign(new EventEmitter(), {
    ...SESSION_DOORS,
  } satisfies { [Name in keyof Session]?: unknown }),
};

/** A page in the driver's Chromium. */
class DoubleContents extends EventEmitter {
  readonly mainFrame = { origin: '' };
  readonly #window: BrowserWindow;
  #opener: Opener | undefined;

  constructor(window: BrowserWindow) {
    super();
    this.#window = window;
  }

  setWindowOpenHandler(handler: Opener): void {
    this.#opener = handler;
  }

  reload(): void {
    void this.#window.loadURL(this.#window.url);
  }

  /** The page wants a window for an address; what comes of it is up to the app. */
  open(url: string): void {
    this.#opener?.({ url } as Parameters<Opener>[0]);
  }
}

export class BrowserWindow
  extends EventEmitter
  implements
    Pick<
      ElectronWindow,
      | 'loadURL'
      | 'show'
      | 'focus'
      | 'isMinimized'
      | 'restore'
      | 'maximize'
      | 'isMaximized'
      | 'getNormalBounds'
      | 'destroy'
      | 'isDestroyed'
    >
{
  static #count = 0;
  readonly id = ++BrowserWindow.#count;
  readonly webContents = new DoubleContents(this);
  readonly #bounds: { x: number; y: number; width: number; height: number };
  url = '';
  #maximised = false;
  #destroyed = false;

  constructor({ x = 0, y = 0, width = 800, height = 600, webPreferences }: BrowserWindowConstructorOptions) {
    super();
    this.#bounds = { x, y, width, height };
    windows.set(this.id, this);
    channel.send({ type: 'open-window', window: this.id, width, height, preload: webPreferences?.preload ?? '' });
    app.emit('web-contents-created', {}, this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    this.url = url;
    this.webContents.mainFrame.origin = url.split('/').slice(0, 3).join('/');
    channel.send({ type: 'load', window: this.id, url });
  }

  show(): void {
    channel.send({ type: 'show-window', window: this.id });
  }

  focus(): void {}
  restore(): void {}
  maximize(): void {
    this.#maximised = true;
  }
  isMinimized = () => false;
  isMaximized = () => this.#maximised;
  isDestroyed = () => this.#destroyed;
  getNormalBounds = () => this.#bounds;

  /** Without the event `close`, as in Electron. */
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    windows.delete(this.id);
    channel.send({ type: 'close-window', window: this.id });
    this.emit('closed');
    if (windows.size === 0) app.emit('window-all-closed');
  }
}

channel.hear('loaded', ({ window }) => windows.get(window)?.emit('ready-to-show'));
channel.hear('window-closed', ({ window }) => {
  windows.get(window)?.emit('close', {});
  windows.get(window)?.destroy();
});
channel.hear('open-url', ({ window, url }) => windows.get(window)?.webContents.open(url));
channel.hear('ipc', ({ window, channel: name, origin, ports }) => {
  const sender = windows.get(window)?.webContents;
  if (!sender) return;
  sender.mainFrame.origin = origin;
  ipcMain.emit(name, { sender, senderFrame: sender.mainFrame, ports: ports.map((id) => new DoublePort(id)) });
});
channel.hear('request', async ({ request, url, method, headers, body }) => {
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  const response =
    (await handler?.(new Request(url, { method, headers, ...(body && { body: Buffer.from(body, 'base64') }) }))) ??
    new Response(null, { status: 404 });
  channel.send({
    type: 'response',
    request,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  });
});

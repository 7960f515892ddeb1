import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import type {
  Dialog,
  Tray as ElectronTray,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  MessageBoxReturnValue,
  NativeImage,
  NotificationConstructorOptions,
  PowerMonitor,
  SafeStorage,
  Screen,
  Shell,
} from 'electron';
import { channel } from './channel.ts';

/** What is around the window: menus, tray, notifications, dialogs, power, secrets. */

export class Menu {
  readonly items: MenuItemConstructorOptions[];

  constructor(items: MenuItemConstructorOptions[]) {
    this.items = items;
  }

  static buildFromTemplate(items: MenuItemConstructorOptions[]): Menu {
    return new Menu(items);
  }

  static setApplicationMenu(): void {}
}

interface DoubleImage extends Pick<NativeImage, 'setTemplateImage'> {
  name: string;
}

export const nativeImage = {
  createFromPath: (path: string): DoubleImage => ({ name: basename(path, '.png'), setTemplateImage: () => undefined }),
};

let tray: Tray | undefined;

export class Tray
  extends EventEmitter
  implements Pick<ElectronTray, 'setToolTip' | 'destroy'>, Record<'setImage' | 'setContextMenu', unknown>
{
  #image: DoubleImage;
  #toolTip = '';
  menu = new Menu([]);

  constructor(image: DoubleImage) {
    super();
    this.#image = image;
    tray = this;
  }

  setImage(image: DoubleImage): void {
    this.#image = image;
    this.#tell();
  }

  setToolTip(text: string): void {
    this.#toolTip = text;
    this.#tell();
  }

  setContextMenu(menu: Menu): void {
    this.menu = menu;
    this.#tell();
  }

  destroy(): void {
    tray = undefined;
    channel.send({ type: 'tray', tray: undefined });
  }

  #tell(): void {
    const menu = this.menu.items
      .filter(({ type }) => type !== 'separator')
      .map(({ id, label = '', enabled = true }) => ({ id, label, enabled }));
    channel.send({ type: 'tray', tray: { image: this.#image.name, toolTip: this.#toolTip, menu } });
  }
}

channel.hear('click-tray', ({ id }) => {
  if (id === undefined) return tray?.emit('click');
  const item = tray?.menu.items.find((candidate) => candidate.id === id);
  (item?.click as (() => void) | undefined)?.();
});

const notifications = new Map<number, Notification>();

export class Notification extends EventEmitter {
  static #count = 0;
  readonly #id = ++Notification.#count;
  readonly #options: NotificationConstructorOptions;

  constructor(options: NotificationConstructorOptions) {
    super();
    this.#options = options;
  }

  static isSupported(): boolean {
    return true;
  }

  show(): void {
    notifications.set(this.#id, this);
    const { title = '', body = '' } = this.#options;
    channel.send({ type: 'notification', notification: this.#id, shown: { title, body } });
  }

  close(): void {
    notifications.delete(this.#id);
    this.emit('close');
  }
}

channel.hear('click-notification', ({ notification }) => notifications.get(notification)?.emit('click'));

const questions = new Map<number, (response: number) => void>();
channel.hear('answer', ({ dialog: id, response }) => questions.get(id)?.(response));

export const dialog = {
  showMessageBox: async (...args: unknown[]): Promise<MessageBoxReturnValue> => {
    const { message, detail = '', buttons = [] } = args.at(-1) as MessageBoxOptions;
    const id = questions.size + 1;
    const { promise, resolve } = Promise.withResolvers<number>();
    questions.set(id, resolve);
    channel.send({ type: 'dialog', dialog: id, view: { message, detail, buttons } });
    return { response: await promise, checkboxChecked: false };
  },
  showErrorBox: (title: string, content: string) => void process.stderr.write(`${title}: ${content}\n`),
  showOpenDialog: async () => ({ canceled: true, filePaths: [] }),
} satisfies Partial<Dialog>;

export const shell = {
  openExternal: async (url: string) => channel.send({ type: 'open-external', url }),
  openPath: async () => '',
} satisfies Partial<Shell>;

let opened: string[] = [];
const noPicture = { isEmpty: () => true, toJPEG: () => Buffer.alloc(0) };
/** What it gives is never captured: Chromium itself is asked what a page records. */
export const desktopCapturer = {
  getSources: async () => [
    { id: 'screen:0:0', name: 'Entire screen', thumbnail: noPicture },
    { id: 'window:7:0', name: 'Budget app', thumbnail: noPicture },
    ...opened.map((name, at) => ({ id: `window:${8 + at}:0`, name, thumbnail: noPicture })),
  ],
};
channel.hear('windows', ({ titles }) => {
  opened = titles;
});

const shortcuts = new Map<string, () => void>();
export const globalShortcut = {
  register: (keys: string, pressed: () => void) => {
    shortcuts.set(keys, pressed);
    return true;
  },
  unregister: (keys: string) => void shortcuts.delete(keys),
};
channel.hear('press', ({ keys }) => shortcuts.get(keys)?.());

export const nativeTheme = { shouldUseDarkColors: false };

const workArea = { x: 0, y: 0, width: 1_600, height: 900 };
export const screen = {
  getAllDisplays: () => [{ workArea }] as ReturnType<Screen['getAllDisplays']>,
} satisfies Partial<Screen>;

let isLocked = false;
let isOnBattery = false;
let idle = 3_600;

export const powerMonitor = Object.assign(new EventEmitter(), {
  isOnBatteryPower: () => isOnBattery,
  getSystemIdleTime: () => idle,
  getSystemIdleState: () => (isLocked ? 'locked' : 'idle') as ReturnType<PowerMonitor['getSystemIdleState']>,
} satisfies Partial<PowerMonitor>);

channel.hear('power', ({ event, idleSeconds = idle }) => {
  idle = idleSeconds;
  if (event.endsWith('lock-screen')) isLocked = event === 'lock-screen';
  if (event.startsWith('on-')) isOnBattery = event === 'on-battery';
  powerMonitor.emit(event, { preventDefault: () => channel.send({ type: 'delay-shutdown' }) });
});

/** Turns every byte around: enough to see that no secret is kept as it is. */
function turned(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0xff));
}

export const safeStorage = {
  isAsyncEncryptionAvailable: async () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret' as const,
  encryptStringAsync: async (text: string) => turned(Buffer.from(text)),
  decryptStringAsync: async (sealed: Buffer) => ({ result: turned(sealed).toString(), shouldReEncrypt: false }),
} satisfies Partial<SafeStorage>;

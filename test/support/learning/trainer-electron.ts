import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions } from 'electron';
import type { Browser } from 'playwright-core';
import type { Port } from '../../../src-main/learning/training/page/calls.ts';
import { SESSION_DOORS } from '../electron-double/session-doors.ts';
import { utilityProcess } from '../electron-double/utility-process.ts';
import { trainerInChromium } from './page-in-chromium.ts';

type Opened = Awaited<ReturnType<typeof trainerInChromium>>;

/** Where the window's page is shown, and what was built for it; to be set before one is opened. */
export const stage: { browser?: Browser; folder: string } = { folder: '' };
/** All windows that were opened, the last one last. */
export const windows: TrainerPageWindow[] = [];

const closings: (Promise<void> | undefined)[] = [];

/** Closes the browser once every page has closed by itself: pages that are closing must not lose it. */
export async function closeStage(): Promise<void> {
  await Promise.all(closings.splice(0));
  await stage.browser?.close();
}

/** Electron's end of a port to a page. */
class PagePort extends EventEmitter {
  readonly #port: Port;

  constructor(port: Port) {
    super();
    this.#port = port;
    port.onClose(() => this.emit('close'));
  }

  postMessage(message: unknown): void {
    this.#port.send(message);
  }

  start(): void {
    this.#port.onMessage((data) => this.emit('message', { data, ports: [] }));
  }
}

/** As much of Electron's windows as the trainer's wants: its page is shown in a real Chromium. */
class TrainerPageWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents = Object.assign(new EventEmitter(), {
    ipc: new EventEmitter(),
    mainFrame: { origin: '' },
    setWindowOpenHandler: () => undefined,
    setWebRTCIPHandlingPolicy: () => undefined,
  });
  opened: Opened | undefined;
  #isDestroyed = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    windows.push(this);
  }

  async loadURL(url: string): Promise<void> {
    const { browser, folder } = stage;
    if (!browser) throw new Error('The test has opened no browser.');
    this.webContents.mainFrame.origin = new URL(url).href.replace(/\/$/, '');
    this.opened = await trainerInChromium(browser, folder);
    if (this.#isDestroyed) return await this.opened.close();
    const { webContents: sender } = this;
    const ports = [new PagePort(this.opened.port)];
    sender.ipc.emit('quarry:trainer', { sender, senderFrame: sender.mainFrame, ports });
  }

  isDestroyed = () => this.#isDestroyed;

  destroy(): void {
    this.#isDestroyed = true;
    closings.push(this.opened?.close());
    this.emit('closed');
  }
}

const handled = new Set<string>();
const own = Object.assign(new EventEmitter(), {
  protocol: {
    isProtocolHandled: (scheme: string) => handled.has(scheme),
    handle: (scheme: string) => void handled.add(scheme),
  },
  ...SESSION_DOORS,
});

export const session = { fromPartition: () => own };
export const shell = {};
export { TrainerPageWindow as BrowserWindow, utilityProcess };

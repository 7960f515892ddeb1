import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { TEST_MESH } from '../mesh-name.ts';
import type { DialogView, FromApp, FromDriver, MenuEntry, Shown, TrayView } from './messages.ts';
import { WindowPages } from './window-pages.ts';

const START = resolve(import.meta.dirname, 'start.ts');

export interface LaunchOptions {
  /** The node's data folder; Electron's own lies in it. */
  dataDir: string;
  env?: Record<string, string>;
  /** Arguments of the app: a deep link, `--headless`. */
  args?: string[];
  /** Folder with main/, preload/ and renderer/ as the build puts them out. Default: out/. */
  bundles?: string;
  /** One of {@link launchElectronPages}; whoever started it closes it. */
  browser: Browser;
}

/** The desktop app as its built bundles, in a process of its own on a double of Electron, its window in a real Chromium. */
export class DesktopApp extends EventEmitter<{ change: [] }> {
  readonly child: ChildProcess;
  readonly notifications: Shown[] = [];
  readonly dialogs: DialogView[] = [];
  /** Addresses that the app opened in the system's browser. */
  readonly opened: string[] = [];
  /** Resolves when the app's process has ended. */
  readonly exited: Promise<void>;
  /** Whether the app asked the system to wait, when it was told that it shuts down. */
  delaysShutdown = false;
  output = '';
  readonly #windows: WindowPages;
  #tray: TrayView | undefined;

  constructor(options: LaunchOptions) {
    super();
    const { dataDir, env = {}, args = [], bundles, browser } = options;
    this.setMaxListeners(50);
    this.#windows = new WindowPages(browser, (message) => this.#send(message));
    const entry = join(bundles ?? resolve(import.meta.dirname, '../../../out'), 'main', 'index.js');
    const own = [`--user-data-dir=${join(dataDir, 'electron')}`, '--data', dataDir];
    this.child = fork(START, [entry, ...own, ...args], {
      env: { ...process.env, QUARRY_THREADS: '1', QUARRY_MESH_NAME: TEST_MESH.name, QUARRY_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (data) => {
        this.output += data;
        this.emit('change');
      });
    }
    this.child.on('message', (message: FromApp) => this.#hear(message));
    this.exited = once(this.child, 'exit').then(() => void this.emit('change'));
  }

  /** The page of the open window. @throws while none is open; see {@link window} */
  get page(): Page {
    const { page } = this.#windows;
    if (!page) throw new Error(`No window is open.\n${this.output}`);
    return page;
  }

  get hasWindow(): boolean {
    return this.#windows.page !== undefined;
  }

  /** Addresses outside the app that its pages asked for, past their own policy. */
  get strays(): readonly string[] {
    return this.#windows.strays;
  }

  get tray(): TrayView | undefined {
    return this.#tray;
  }

  get menu(): MenuEntry[] {
    return this.#tray?.menu ?? [];
  }

  /** Waits for a window and gives its page. */
  async window(): Promise<Page> {
    await this.until(() => this.hasWindow);
    return this.page;
  }

  /** Waits until something that the app shows is so; fails with what it printed if it ends first. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.child.exitCode !== null) throw new Error(`The app ended (${this.child.exitCode}).\n${this.output}`);
      await once(this, 'change');
    }
  }

  /** Chooses an item of the tray's menu; without an id, clicks the icon. */
  clickTray(id?: string): void {
    this.#send({ type: 'click-tray', id });
  }

  /** Clicks on a notification, by its place in {@link notifications}. */
  clickNotification(index: number): void {
    this.#send({ type: 'click-notification', notification: index + 1 });
  }

  /** Answers the dialog that was shown last with one of its buttons. */
  answerDialog(button: string): void {
    const response = this.dialogs.at(-1)?.buttons.indexOf(button) ?? -1;
    this.#send({ type: 'answer', dialog: this.dialogs.length, response });
  }

  /** Closes the window as a person would. */
  async closeWindow(): Promise<void> {
    this.#windows.closeByHand();
    await this.until(() => !this.hasWindow);
  }

  /** What a second start of the app tells this one. */
  startAgain(...args: string[]): void {
    this.#send({ type: 'second-instance', argv: ['quarry', ...args] });
  }

  /** An event of Electron's powerMonitor. @param idleSeconds since somebody touched the computer; at first an hour */
  power(
    event: 'lock-screen' | 'unlock-screen' | 'on-battery' | 'on-ac' | 'suspend' | 'resume' | 'shutdown',
    idleSeconds?: number,
  ): void {
    this.#send({ type: 'power', event, ...(idleSeconds !== undefined && { idleSeconds }) });
  }

  /** More windows of other programs are open, with these titles. */
  openOthers(...titles: string[]): void {
    this.#send({ type: 'windows', titles });
  }

  /** Presses a key that the app hears in every program, as Electron writes it. */
  press(keys: string): void {
    this.#send({ type: 'press', keys });
  }

  /** Ends the app as its menu would, and its pages. @returns the exit code */
  async quit(): Promise<number | null> {
    this.#send({ type: 'quit' });
    await this.exited;
    await this.#windows.close();
    return this.child.exitCode;
  }

  #send(message: FromDriver): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  #hear(message: FromApp): void {
    if (message.type === 'tray') this.#tray = message.tray;
    if (message.type === 'notification') this.notifications.push(message.shown);
    if (message.type === 'dialog') this.dialogs.push(message.view);
    if (message.type === 'delay-shutdown') this.delaysShutdown = true;
    if (message.type === 'open-external') this.opened.push(message.url);
    void this.#windows.hear(message).then(() => this.emit('change'));
    this.emit('change');
  }
}

/** A browser for the app's windows: Electron's pages hear when main closes a message port; other pages do not, so far. */
export function launchElectronPages(executablePath: string): Promise<Browser> {
  return launchChromium(executablePath, ['--enable-blink-features=MessagePortCloseEvent']);
}

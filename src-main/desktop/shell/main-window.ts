import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import { APP_ORIGIN } from '../guards/origin.ts';
import { SHUT_PAGE } from '../guards/page-guards.ts';
import { iconFile, PRELOAD_FILE } from './paths.ts';
import { boundsFor, LEAST_SIZE, readWindowState, type WindowState, writeWindowState } from './window-state.ts';

/** What is behind the page until it has drawn itself; the renderer's own background colours. */
const BACKGROUND = { light: '#f7f8f8', dark: '#242424' };

const HOME = '/';

/** A page that crashes more often within so many milliseconds stays closed. */
const MAX_CRASHES = 3;
const CRASHES_MS = 60_000;

export interface MainWindowOptions {
  /** The page crashed again and again: it stays closed. */
  onBroken: () => void;
  onClosed: () => void;
}

/**
 * The one window. Closed means destroyed: in the tray the app needs no page, no GPU memory. A resource.
 */
export class MainWindow {
  readonly #options: MainWindowOptions;
  readonly #stateFile = join(app.getPath('userData'), 'window-state.json');
  readonly #crashes = new CrashLimit();
  #window: BrowserWindow | undefined;
  #opening: Promise<void> | undefined;
  readonly #saves = new Turns();
  #page = HOME;

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  /** The window, while there is one. */
  get window(): BrowserWindow | undefined {
    return this.#window;
  }

  /** Brings the window to the front; opens it where there is none. @param page address of a screen within the app */
  async show(page?: string): Promise<void> {
    if (this.#window) {
      if (page !== undefined) void this.#load(this.#window, page);
      if (this.#window.isMinimized()) this.#window.restore();
      this.#window.show();
      this.#window.focus();
      return;
    }
    this.#page = page ?? this.#page;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  /** Waits until its place is kept. Idempotent. */
  async close(): Promise<void> {
    await this.#opening;
    if (this.#window) this.#keep(this.#window);
    this.#window?.destroy();
    await this.#saves.ended();
  }

  async #open(): Promise<void> {
    const kept = await readWindowState(this.#stateFile);
    const window = new BrowserWindow({
      ...boundsFor(
        kept,
        screen.getAllDisplays().map(({ workArea }) => workArea),
      ),
      minWidth: LEAST_SIZE.width,
      minHeight: LEAST_SIZE.height,
      title: 'Quarry',
      icon: iconFile('icon.png'),
      show: false,
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: {
        ...SHUT_PAGE,
        preload: PRELOAD_FILE,
        devTools: !app.isPackaged,
      },
    });
    this.#window = window;
    this.#watch(window);
    if (kept?.maximised) window.maximize();
    window.once('ready-to-show', () => window.show());
    const page = this.#page;
    this.#page = HOME;
    void this.#load(window, page);
  }

  #watch(window: BrowserWindow): void {
    window.on('close', () => this.#keep(window));
    window.on('closed', () => {
      if (this.#window === window) this.#window = undefined;
      this.#options.onClosed();
    });
    window.on('page-title-updated', (event) => event.preventDefault());
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit' || window.isDestroyed()) return;
      if (this.#crashes.mayRetry()) return window.webContents.reload();
      window.destroy();
      this.#options.onBroken();
    });
  }

  /** A page that was left while it loaded, or a window that is gone by now, is no failure. */
  async #load(window: BrowserWindow, page: string): Promise<void> {
    await window.loadURL(`${APP_ORIGIN}${page}`).catch(ignoring('it was left while it loaded, or its window is gone'));
  }

  #keep(window: BrowserWindow): void {
    const state: WindowState = { bounds: window.getNormalBounds(), maximised: window.isMaximized() };
    void this.#saves.take(() => writeWindowState(this.#stateFile, state));
  }
}

/** Says how often something may be started again: three times within a minute. */
export class CrashLimit {
  readonly #now: () => number;
  #crashes: number[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts a crash. @returns whether to try again */
  mayRetry(): boolean {
    const now = this.#now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASHES_MS), now];
    return this.#crashes.length <= MAX_CRASHES;
  }
}

import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserWindowConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CrashLimit, MainWindow } from '../../../../src-main/desktop/shell/main-window.ts';

const electron = vi.hoisted(() => ({ windows: [] as unknown[], userData: '', isPackaged: true }));

vi.mock('electron', () => ({
  app: { getPath: () => electron.userData, isPackaged: electron.isPackaged },
  nativeTheme: { shouldUseDarkColors: true },
  screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1_920, height: 1_040 } }] },
  BrowserWindow: class {
    constructor(options: BrowserWindowConstructorOptions) {
      const window = new FakeWindow(options);
      electron.windows.push(window);
      // biome-ignore lint/correctness/noConstructorReturn: the mock is made before the class that it gives out
      return window;
    }
  },
}));

class FakeWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly urls: string[] = [];
  readonly webContents = Object.assign(new EventEmitter(), { reload: vi.fn() });
  destroyed = false;
  show = vi.fn();
  focus = vi.fn();
  restore = vi.fn();
  maximize = vi.fn();

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
  }

  isMinimized = () => true;
  isMaximized = () => false;
  isDestroyed = () => this.destroyed;
  getNormalBounds = () => ({ x: 10, y: 20, width: 1_000, height: 700 });
  async loadURL(url: string): Promise<void> {
    this.urls.push(url);
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('closed');
  }
}

const windows = () => electron.windows as FakeWindow[];
const onBroken = vi.fn();
const onClosed = vi.fn();
let window: MainWindow;

beforeEach(async () => {
  electron.userData = await mkdtemp(join(tmpdir(), 'quarry-window-'));
  electron.windows.length = 0;
  onBroken.mockClear();
  onClosed.mockClear();
  window = new MainWindow({ onBroken, onClosed });
});
afterEach(() => rm(electron.userData, { recursive: true, force: true }));

describe('MainWindow', () => {
  it('shows its page in a sandbox without Node, from its own scheme', async () => {
    await window.show();
    expect(windows()[0]?.options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      devTools: false,
    });
    expect(windows()[0]?.options.webPreferences?.preload).toMatch(/out[/\\]preload[/\\]index\.cjs$/);
    expect(windows()[0]?.urls).toEqual(['quarry-app://app/']);
  });

  it('switches on nothing that Chromium does not', async () => {
    await window.show();
    const { webPreferences = {} } = windows()[0]?.options ?? {};
    expect(webPreferences.experimentalFeatures).toBe(false);
    expect(webPreferences).not.toHaveProperty('enableBlinkFeatures');
    expect(webPreferences.navigateOnDragDrop).toBe(false);
  });

  it('appears once it has something to show', async () => {
    await window.show();
    expect(windows()[0]?.show).not.toHaveBeenCalled();
    windows()[0]?.emit('ready-to-show');
    expect(windows()[0]?.show).toHaveBeenCalled();
  });

  it('is one window, however often it is asked for', async () => {
    await Promise.all([window.show(), window.show('/#/models')]);
    await window.show();
    expect(windows()).toHaveLength(1);
    expect(windows()[0]?.restore).toHaveBeenCalled();
    await window.show('/#/settings');
    expect(windows()[0]?.urls).toEqual(['quarry-app://app/#/models', 'quarry-app://app/#/settings']);
  });

  it('is gone once closed, and opens again where it was', async () => {
    await window.show('/#/models');
    windows()[0]?.emit('close');
    windows()[0]?.destroy();
    expect(window.window).toBeUndefined();
    expect(onClosed).toHaveBeenCalledOnce();
    await window.close();
    await window.show();
    expect(windows()).toHaveLength(2);
    expect(windows()[1]?.options).toMatchObject({ x: 10, y: 20, width: 1_000, height: 700 });
    expect(windows()[1]?.urls).toEqual(['quarry-app://app/']);
  });

  it('keeps its place when the app ends with the window open', async () => {
    await window.show();
    await window.close();
    const kept = JSON.parse(await readFile(join(electron.userData, 'window-state.json'), 'utf8'));
    expect(kept.bounds).toEqual({ x: 10, y: 20, width: 1_000, height: 700 });
  });

  it('loads a page that crashed again, but not for ever', async () => {
    await window.show();
    const [page] = windows();
    for (let crash = 0; crash < 3; crash++) page?.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(page?.webContents.reload).toHaveBeenCalledTimes(3);
    expect(onBroken).not.toHaveBeenCalled();
    page?.webContents.emit('render-process-gone', {}, { reason: 'oom' });
    expect(page?.webContents.reload).toHaveBeenCalledTimes(3);
    expect(page?.destroyed).toBe(true);
    expect(onBroken).toHaveBeenCalledOnce();
  });
});

describe('CrashLimit', () => {
  it('gives up at the fourth crash within a minute, not at one an hour', () => {
    let now = 0;
    const limit = new CrashLimit(() => now);
    expect([1, 2, 3, 4].map(() => limit.mayRetry())).toEqual([true, true, true, false]);
    now = 60_001;
    expect(limit.mayRetry()).toBe(true);
  });
});

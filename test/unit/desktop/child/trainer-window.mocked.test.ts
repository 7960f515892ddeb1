import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TrainerWindow } from '../../../../src-main/desktop/child/trainer-window.ts';

const electron = vi.hoisted(() => ({ windows: [] as unknown[], session: {} as unknown, partitions: [] as string[] }));

vi.mock('electron', () => ({
  session: {
    fromPartition: (name: string) => {
      electron.partitions.push(name);
      return electron.session;
    },
  },
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
  readonly mainFrame = { origin: 'quarry-app://trainer' };
  readonly webContents = Object.assign(new EventEmitter(), {
    ipc: new EventEmitter(),
    mainFrame: this.mainFrame,
    setWindowOpenHandler: vi.fn(),
    setWebRTCIPHandlingPolicy: vi.fn(),
  });
  readonly urls: string[] = [];
  destroyed = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
  }

  isDestroyed = () => this.destroyed;
  async loadURL(url: string): Promise<void> {
    this.urls.push(url);
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('closed');
  }
}

/** Keeps what it was told to ask before it allows something. */
function fakeSession() {
  const handled: string[] = [];
  return Object.assign(new EventEmitter(), {
    handled,
    protocol: {
      isProtocolHandled: (scheme: string) => handled.includes(scheme),
      handle: (scheme: string) => void handled.push(scheme),
    },
    setPermissionRequestHandler: vi.fn(),
    setPermissionCheckHandler: vi.fn(),
    setDevicePermissionHandler: vi.fn(),
    setDisplayMediaRequestHandler: vi.fn(),
    setUSBProtectedClassesHandler: vi.fn(),
    webRequest: { onBeforeRequest: vi.fn() },
  });
}

const onPort = vi.fn();
const onGone = vi.fn();
let session: ReturnType<typeof fakeSession>;
let window: FakeWindow;
let trainer: TrainerWindow;

beforeEach(() => {
  session = fakeSession();
  electron.session = session;
  onPort.mockClear();
  onGone.mockClear();
  trainer = new TrainerWindow({ onPort, onGone });
  window = electron.windows.at(-1) as FakeWindow;
});

const port = () => ({ postMessage: vi.fn(), close: vi.fn() });
const sent = (ports: unknown[], senderFrame: unknown = window.mainFrame) =>
  window.webContents.ipc.emit('quarry:trainer', { sender: window.webContents, senderFrame, ports });

describe('TrainerWindow', () => {
  it('is a sandbox without Node that nobody sees, in a session that is kept nowhere', () => {
    expect(window.options).toMatchObject({ show: false, skipTaskbar: true, focusable: false });
    expect(window.options.webPreferences).toMatchObject({
      ...{ sandbox: true, contextIsolation: true, webSecurity: true, session, backgroundThrottling: false },
      ...{ nodeIntegration: false, nodeIntegrationInSubFrames: false, nodeIntegrationInWorker: false },
      ...{ experimentalFeatures: false, webviewTag: false, devTools: false, allowRunningInsecureContent: false },
    });
    expect(window.options.webPreferences?.preload).toMatch(/out[/\\]preload[/\\]trainer\.cjs$/);
    expect(electron.partitions.at(-1)).not.toMatch(/^persist:/);
    expect(window.urls).toEqual(['quarry-app://trainer/']);
  });

  it('may ask for nothing, and loads its own scripts only', () => {
    const answer = vi.fn();
    session.setPermissionRequestHandler.mock.lastCall?.[0](window.webContents, 'media', answer, {});
    expect(answer).toHaveBeenLastCalledWith(false);
    session.setDisplayMediaRequestHandler.mock.lastCall?.[0]({}, answer);
    expect(answer).toHaveBeenLastCalledWith(null);
    expect(session.setPermissionCheckHandler.mock.lastCall?.[0]()).toBe(false);
    expect(session.setDevicePermissionHandler.mock.lastCall?.[0]()).toBe(false);
    const isCancelled = (url: string) => {
      session.webRequest.onBeforeRequest.mock.lastCall?.[0]({ url }, answer);
      return answer.mock.lastCall?.[0].cancel;
    };
    expect(isCancelled('quarry-app://trainer/assets/trainer.js')).toBe(false);
    for (const url of [
      'https://huggingface.co/',
      'quarry-app://app/',
      'file:///etc/passwd',
      'data:text/html,a',
      'blob:null/1',
    ]) {
      expect(isCancelled(url), url).toBe(true);
    }
    const event = { preventDefault: vi.fn() };
    session.emit('will-download', event);
    expect(event.preventDefault).toHaveBeenCalled();
    new TrainerWindow({ onPort, onGone });
    expect(session.handled).toEqual(['quarry-app']);
  });

  it('goes nowhere and opens nothing', () => {
    for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
      const event = { url: 'quarry-app://app/', preventDefault: vi.fn() };
      window.webContents.emit(name, event);
      expect(event.preventDefault, name).toHaveBeenCalled();
    }
    expect(window.webContents.setWindowOpenHandler.mock.lastCall?.[0]()).toEqual({ action: 'deny' });
    expect(window.webContents.setWebRTCIPHandlingPolicy).toHaveBeenCalledWith('disable_non_proxied_udp');
  });

  it('takes one port, of its own page', () => {
    const own = port();
    sent([own]);
    sent([port()]);
    expect(onPort.mock.calls).toEqual([[own]]);
    expect(onGone).not.toHaveBeenCalled();
  });

  it.each([
    ['of a frame that is gone', () => sent([port()], null)],
    ['of another frame', () => sent([port()], { origin: 'quarry-app://trainer' })],
    ['of two', () => sent([port(), port()])],
    ['of a page from elsewhere', () => sent([port()], Object.assign(window.mainFrame, { origin: 'quarry-app://app' }))],
  ])('ends where it is handed a port %s', (_what, hand) => {
    hand();
    expect(onPort).not.toHaveBeenCalled();
    expect(onGone).toHaveBeenCalledOnce();
    expect(window.destroyed).toBe(true);
  });

  it('tells once of a page that crashed, and nothing of one that was closed', () => {
    window.webContents.emit('render-process-gone', {}, { reason: 'oom' });
    expect(onGone.mock.calls).toEqual([['oom']]);
    expect(window.destroyed).toBe(true);
    const other = new TrainerWindow({ onPort, onGone });
    other.close();
    other.close();
    trainer.close();
    expect(onGone).toHaveBeenCalledOnce();
  });
});

import {
  app,
  type BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  type MenuItemConstructorOptions,
  protocol,
  session,
} from 'electron';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { wordsOf } from '../../src-preload/contract/saying.ts';
import type { HostPorts } from '../app/host/host-ports.ts';
import type { NodeHost } from '../app/node-host.ts';
import { ignoring } from '../base/swallowed.ts';
import type { Config } from '../settings/config.ts';
import { utilitySpawner } from './child/utility-spawner.ts';
import { type ByteRoads, serveRenderer } from './guards/app-protocol.ts';
import { CONTRACT_CHANNEL, ContractPorts } from './guards/contract-ports.ts';
import { APP_SCHEME } from './guards/origin.ts';
import { guardSession } from './guards/page-guards.ts';
import { systemVault } from './guards/secret-vault.ts';
import { DesktopAbilities } from './shell/desktop-abilities.ts';
import { systemLoginItem } from './shell/login-item.ts';
import { MainWindow } from './shell/main-window.ts';
import { NodeWatch } from './shell/node-watch.ts';
import { Notifier } from './shell/notifier.ts';
import { panicShortcut } from './shell/panic-shortcut.ts';
import { RENDERER_FOLDER } from './shell/paths.ts';
import { ElectronPower } from './shell/power-source.ts';
import { ScreenCapture } from './shell/screen-capture.ts';
import { errorWords, type ShownTexts, textsFor } from './shell/texts.ts';
import { TrayIcon } from './shell/tray.ts';
import { openUpdates } from './shell/update-feed.ts';

/** The settings that matter outside the node. */
export type DesktopSettings = Pick<Config, 'desktop' | 'language'>;

export interface DesktopOptions {
  /** Makes the host of the node, given what this desktop can do. */
  host: (ports: HostPorts) => NodeHost;
  /** What is known of the settings before the node is open. */
  settings: DesktopSettings;
  /** Screen to begin with. */
  page?: string;
}

/** The desktop app: window, tray and notifications around one node. A resource, to be opened once Electron is ready. */
export class Desktop {
  readonly #options: DesktopOptions;
  readonly #updates = openUpdates();
  readonly #loginItem = systemLoginItem();
  readonly #capture = new ScreenCapture();
  readonly #window = new MainWindow({
    onBroken: () => this.#tellOfBrokenPage(),
    onClosed: () => this.#onWindowClosed(),
  });
  readonly #host: NodeHost;
  readonly #ports: ContractPorts;
  readonly #watch: NodeWatch;
  readonly #tray: TrayIcon;
  readonly #notifier: Notifier;
  #closed: Promise<void> | undefined;
  #toldOfTray = false;

  constructor(options: DesktopOptions) {
    this.#options = options;
    const texts = () => textsFor(this.#settings.language);
    this.#host = options.host(this.#hostPorts());
    this.#ports = new ContractPorts(this.#host);
    this.#watch = new NodeWatch(this.#host);
    this.#tray = new TrayIcon({
      host: this.#host,
      watch: this.#watch,
      texts,
      onOpen: () => void this.show(),
      onQuit: () => app.quit(),
    });
    this.#notifier = new Notifier({
      watch: this.#watch,
      texts,
      enabled: () => this.#settings.desktop.notifications,
      onClick: (page) => void this.show(page),
    });
  }

  /** Shows the window first; the node opens behind it. */
  async open(): Promise<void> {
    guardSession(session.defaultSession, () => this.#capture.take());
    protocol.handle(
      APP_SCHEME,
      serveRenderer(RENDERER_FOLDER, () => this.#bytes()),
    );
    ipcMain.on(CONTRACT_CHANNEL, this.#ports.accept);
    setApplicationMenu(textsFor(this.#settings.language).view);
    this.#ports.open();
    const { page, settings } = this.#options;
    if (!settings.desktop.startMinimised || page !== undefined) await this.show(page);
    this.#watch.open();
    this.#tray.open();
    this.#notifier.open();
    void this.#loginItem.renew().catch(ignoring('what is written there still stands'));
    this.#host.on('failed', (error) => void this.#onFailure(error));
    await this.#openNode();
  }

  /** Brings up the window. @param page address of a screen within the app */
  async show(page?: string): Promise<void> {
    if (!this.#closed) await this.#window.show(page);
  }

  /** The window is closed: goes on in the tray, or ends, as the settings say. */
  #onWindowClosed(): void {
    if (this.#closed) return;
    if (this.#settings.desktop.closeToTray) this.#tellOfTray();
    else app.quit();
  }

  /** Ends everything, the node last and wholly. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#updates.close();
    this.#notifier.close();
    this.#tray.close();
    this.#watch.close();
    ipcMain.off(CONTRACT_CHANNEL, this.#ports.accept);
    this.#ports.close();
    await this.#window.close();
    await this.#host.close();
  }

  get #settings(): DesktopSettings {
    const settings = this.#host.app?.settings;
    if (!settings) return this.#options.settings;
    return { desktop: settings.follow('desktop').now, language: settings.follow('language').now };
  }

  #hostPorts(): HostPorts {
    const desktop = new DesktopAbilities({
      vault: systemVault,
      loginItem: this.#loginItem,
      updates: this.#updates,
      window: () => this.#window.window,
      beforeInstall: () => this.close(),
      quit: () => app.quit(),
    });
    const power = new ElectronPower();
    return {
      spawner: utilitySpawner,
      // Whoever tells Chromium to compute on the processor gets what they asked for.
      gpuPages: { acceptsSoftware: app.commandLine.getSwitchValue('use-webgpu-adapter') === 'swiftshader' },
      secrets: systemVault,
      power,
      desktop,
      capture: this.#capture,
      panic: panicShortcut,
    };
  }

  /** What of the node that is open pages reach as bytes. */
  #bytes(): ByteRoads | undefined {
    const app = this.#host.app;
    if (!app) return undefined;
    const { takeChunk, giveVideo } = app.focus;
    return { takeChunk, giveVideo, giveExport: app.learning.giveExport, giveClip: app.clips.giveClip };
  }

  async #openNode(): Promise<void> {
    await this.#host.open().catch((error: unknown) => this.#onFailure(QuarryError.from(error)));
  }

  async #onFailure(error: QuarryError): Promise<void> {
    if (this.#closed) return;
    this.#watch.fail(wordsOf(error, 'message'));
    const texts = textsFor(this.#settings.language);
    const answer = await askAfterFailure(error, texts, this.#window.window);
    if (answer === 'quit') app.quit();
    else await this.#openNode();
  }

  /** Once: whoever closes a window wants to know that the app is still there. */
  #tellOfTray(): void {
    const { inTray, inTrayBody } = textsFor(this.#settings.language);
    if (!this.#toldOfTray) this.#notifier.tell(inTray, inTrayBody, '/#/settings');
    this.#toldOfTray = true;
  }

  #tellOfBrokenPage(): void {
    const { troubleTitle, pageBroken } = textsFor(this.#settings.language);
    this.#notifier.tell(troubleTitle, pageBroken, '/#/');
  }
}

/** Says what went wrong and what to do, and asks how to go on. Closing it quits. */
async function askAfterFailure(
  error: QuarryError,
  texts: ShownTexts,
  window: BrowserWindow | undefined,
): Promise<'retry' | 'quit'> {
  const { message, hint } = errorWords(error, texts);
  const options = {
    type: 'error' as const,
    title: 'Quarry',
    message: texts.cannotStart,
    detail: [message, hint].filter(Boolean).join('\n\n'),
    buttons: [texts.retry, texts.quit],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  };
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
  return response === 0 ? 'retry' : 'quit';
}

/** Keyboard shortcuts for text and zoom; on macOS they exist only through a menu. Out of sight elsewhere. */
function setApplicationMenu(viewLabel: string): void {
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
    ...(app.isPackaged ? [] : [{ role: 'reload' as const }, { role: 'toggleDevTools' as const }]),
  ];
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    { role: 'editMenu' },
    { label: viewLabel, submenu: view },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

import type { AppUpdater } from 'electron-updater';
import type { Update } from '../../../src-preload/contract/desktop.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, told, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';

/** What is used of electron-updater. */
export type Updater = Pick<
  AppUpdater,
  | 'on'
  | 'once'
  | 'checkForUpdates'
  | 'quitAndInstall'
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'allowDowngrade'
  | 'allowPrerelease'
>;

/** Milliseconds between two looks for a new version. */
const INTERVAL_MS = 6 * 3_600_000;

/** What a build can know of updates. */
export interface UpdateSurroundings {
  isPackaged: boolean;
  /** Whether it names a place to get updates from. */
  hasFeed: boolean;
  platform: NodeJS.Platform;
  /** What its list of updates is signed with on Linux. */
  key: string | undefined;
}

/** Why there are no updates, if so. Where the system does not know who signed a package, there are none without a key. */
export function whyOff({ isPackaged, hasFeed, platform, key }: UpdateSurroundings): Saying | undefined {
  if (!isPackaged) return say('desktop.fromSources');
  if (!hasFeed) return say('desktop.noFeed');
  if (platform === 'linux' && key === undefined) return say('desktop.noFeedKey');
  return undefined;
}

/**
 * Looks for new versions, fetches them, and says how that stands. That an update is signed by the publisher of this app is
 * checked by electron-updater, or on Linux by `signed-feed.ts`; nothing here can switch that off. A resource.
 */
export class Updates {
  readonly #updater: Updater | undefined;
  #state: Update;
  #timer: NodeJS.Timeout | undefined;

  /** @param off why there are no updates, in one sentence; nothing is asked then */
  constructor(updater: Updater | undefined, off?: Words) {
    this.#updater = off === undefined ? updater : undefined;
    this.#state = this.#updater
      ? { state: 'current' }
      : { state: 'off', ...told({ message: off ?? say('desktop.neverUpdates') }) };
    if (this.#updater) this.#listen(this.#updater);
  }

  get state(): Update {
    return this.#state;
  }

  /** Looks now, then every six hours. */
  open(): void {
    if (!this.#updater || this.#timer) return;
    this.#timer = setInterval(() => void this.check(), INTERVAL_MS);
    void this.check();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Looks now, unless one is being fetched or is ready. Never throws: what went wrong is the state. */
  async check(): Promise<Update> {
    if (this.#updater && !['checking', 'downloading', 'ready'].includes(this.#state.state)) {
      this.#state = { state: 'checking' };
      await this.#updater.checkForUpdates().catch((error: unknown) => this.#fail(error));
    }
    return this.#state;
  }

  /**
   * Ends the app and starts the new version.
   * @param onFailure the installer could not be started
   * @throws BAD_REQUEST while none is ready
   */
  install(onFailure: () => void): void {
    if (this.#state.state !== 'ready') {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('desktop.noUpdate') });
    }
    this.#updater?.once('error', onFailure);
    this.#updater?.quitAndInstall(false, true);
  }

  #listen(updater: Updater): void {
    updater.autoDownload = true;
    updater.autoInstallOnAppQuit = true;
    updater.allowDowngrade = false;
    updater.allowPrerelease = false;
    let version: string | undefined;
    updater.on('update-not-available', () => this.#set({ state: 'current' }));
    updater.on('update-available', (found) => {
      version = found.version;
      this.#set({ state: 'downloading', version, percent: 0 });
    });
    updater.on('download-progress', ({ percent }) => this.#set({ state: 'downloading', version, percent }));
    updater.on('update-downloaded', (ready) => this.#set({ state: 'ready', version: ready.version }));
    updater.on('error', (error) => this.#fail(error));
  }

  #set(state: Update): void {
    this.#state = state;
  }

  /** Of the message only its first line: the rest may be a page of somebody's server. */
  #fail(error: unknown): void {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    const message =
      error instanceof QuarryError
        ? wordsOf(error, 'message')
        : say('desktop.updateFailed', { reason: reason.slice(0, 200) });
    this.#state = { state: 'failed', ...told({ message }) };
  }
}

import { stat } from 'node:fs/promises';
import { type BrowserWindow, dialog, type OpenDialogOptions, shell } from 'electron';
import type { DesktopState } from '../../../src-preload/contract/desktop.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { DesktopPort } from '../../app/host/host-ports.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { SecretVault } from '../../settings/secret-vault.ts';
import type { LoginItem } from './login-item.ts';
import type { Updates } from './updates.ts';

export interface DesktopParts {
  vault: SecretVault;
  loginItem: LoginItem;
  updates: Updates;
  /** The window that dialogs belong to. */
  window: () => BrowserWindow | undefined;
  /** Closes the node before a new version takes over. */
  beforeInstall: () => Promise<void>;
  quit: () => void;
}

/** What the contract's `desktop` can do where there is one. */
export class DesktopAbilities implements DesktopPort {
  readonly #parts: DesktopParts;

  constructor(parts: DesktopParts) {
    this.#parts = parts;
  }

  async state(): Promise<DesktopState> {
    const { vault, loginItem, updates } = this.#parts;
    const [startOnLogin, secrets] = await Promise.all([loginItem.get(), vault.state()]);
    return { available: true, startOnLogin, secrets, update: updates.state };
  }

  async setStartOnLogin(on: boolean): Promise<void> {
    if ((await this.#parts.loginItem.get()) === null) {
      throw new QuarryError({
        code: 'BAD_REQUEST',
        message: say('desktop.notOnLogin'),
        hint: say('desktop.install'),
      });
    }
    await this.#parts.loginItem.set(on);
  }

  async pickModelFile(): Promise<string | null> {
    return await this.#pick({ properties: ['openFile'], filters: [{ name: 'GGUF', extensions: ['gguf'] }] });
  }

  async pickFolder(): Promise<string | null> {
    return await this.#pick({ properties: ['openDirectory', 'createDirectory'] });
  }

  /** A folder only: a file would be run. */
  async openFolder(path: string): Promise<void> {
    const found = await stat(path).catch(ignoring('what cannot be looked at cannot be shown: that is said below'));
    const problem = found?.isDirectory() ? await shell.openPath(path) : say('desktop.notThere');
    if (problem === '') return;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('desktop.notShown', { path, problem }) });
  }

  async checkForUpdate() {
    return await this.#parts.updates.check();
  }

  /**
   * The node is closed first: its ledger and its engine must not be cut off by an installer. An installer that then fails
   * must not leave an app behind that has neither window nor node.
   */
  async installUpdate(): Promise<void> {
    const { updates, beforeInstall, quit } = this.#parts;
    if (updates.state.state !== 'ready') updates.install(quit); // says why not
    setImmediate(() => void beforeInstall().then(() => updates.install(quit), quit));
  }

  async #pick(options: OpenDialogOptions): Promise<string | null> {
    const window = this.#parts.window();
    const { filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
    return filePaths[0] ?? null;
  }
}

import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { writeAtomically } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { ignoring } from '../../base/swallowed.ts';

/** Whether the app starts when its user logs in. */
export interface LoginItem {
  /** Null where that cannot be had. */
  get(): Promise<boolean | null>;
  set(on: boolean): Promise<void>;
  /** Says anew which program to start, for it may have moved. */
  renew(): Promise<void>;
}

/** As the system keeps it: a login item on macOS and Windows, an autostart file on Linux desktops. */
export function systemLoginItem(): LoginItem {
  const nothing = async () => undefined;
  if (!app.isPackaged) return { get: async () => null, set: nothing, renew: nothing }; // it would start a bare Electron
  if (process.platform === 'linux') return new Autostart(process.env.APPIMAGE ?? process.execPath);
  return {
    get: async () => willOpenAtLogin(),
    set: async (on) => app.setLoginItemSettings({ openAtLogin: on }),
    renew: nothing,
  };
}

/** On Windows the item can be there, and switched off in the Task Manager. */
function willOpenAtLogin(): boolean {
  const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings();
  return process.platform === 'win32' ? executableWillLaunchAtLogin : openAtLogin;
}

/** Start on login as Linux desktops know it (XDG autostart): a file says what to start. */
export class Autostart {
  readonly #program: string;
  readonly #folder: string;

  /** @param program the installed program; an AppImage's own path, for the mounted one changes with every start */
  constructor(program: string, env: NodeJS.ProcessEnv = process.env) {
    this.#program = program;
    this.#folder = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart');
  }

  /** Desktops switch such a file off by a line in it. */
  async get(): Promise<boolean> {
    const text = await readFile(this.#file, 'utf8').catch(ignoring('a file that cannot be read starts nothing'));
    return text !== undefined && !/^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(text);
  }

  async set(on: boolean): Promise<void> {
    if (!on) return await rm(this.#file, { force: true });
    await makeFolder(this.#folder);
    await writeAtomically(this.#file, entryText(this.#program));
  }

  /** An AppImage has another name after an update. */
  async renew(): Promise<void> {
    if (await this.get()) await this.set(true);
  }

  get #file(): string {
    return join(this.#folder, 'quarry.desktop');
  }
}

function entryText(program: string): string {
  const lines = ['Type=Application', 'Name=Quarry', `Exec=${quoted(program)}`, 'Terminal=false', 'NoDisplay=true'];
  return `[Desktop Entry]\n${lines.join('\n')}\n`;
}

/** Quoted twice, as the specification wants it: for the command line, then for the file. */
function quoted(program: string): string {
  const argument = program.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${argument.replaceAll('\\', '\\\\')}"`;
}

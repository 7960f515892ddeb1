import { app } from 'electron';
import { Autostart } from './autostart.ts';

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

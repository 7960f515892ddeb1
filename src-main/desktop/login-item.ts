import { app } from 'electron';
import { Autostart } from './autostart.ts';

/** Whether the app starts when its user logs in. */
export interface LoginItem {
  /** Null where that cannot be had. */
  get(): Promise<boolean | null>;
  set(on: boolean): Promise<void>;
}

/** As the system keeps it: a login item on macOS and Windows, an autostart file on Linux desktops. */
export function systemLoginItem(): LoginItem {
  if (!app.isPackaged) return { get: async () => null, set: async () => undefined }; // it would start a bare Electron
  if (process.platform === 'linux') return new Autostart(process.env.APPIMAGE ?? process.execPath);
  return {
    get: async () => app.getLoginItemSettings().openAtLogin,
    set: async (on) => app.setLoginItemSettings({ openAtLogin: on }),
  };
}

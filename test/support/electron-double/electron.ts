/**
 * A double of the Electron APIs that src-main/desktop uses, each checked against electron.d.ts where it stands. The app's own
 * module imports it as `electron`; whatever a person would see or do goes over a channel to driver.ts.
 */
import type * as Electron from 'electron';
import { app } from './app.ts';
import * as surroundings from './surroundings.ts';
import { utilityProcess } from './utility-process.ts';
import * as windows from './windows.ts';

const double = { app, utilityProcess, ...surroundings, ...windows } satisfies {
  [Name in keyof typeof Electron]?: unknown;
};
export default double;

export const { BrowserWindow, ipcMain, protocol, session } = windows;
export const {
  desktopCapturer,
  dialog,
  globalShortcut,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  safeStorage,
  screen,
  shell,
  Tray,
} = surroundings;
export { app, utilityProcess };

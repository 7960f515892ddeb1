import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, CommandLine, LoginItemSettings } from 'electron';
import { channel } from './channel.ts';

const ready = Promise.withResolvers<void>();
const paths = new Map<string, string>();
let isQuitting = false;

/** As Electron: it gets ready only once the app's own module has been run to its end. */
export function appCodeLoaded(): void {
  ready.resolve();
}

function switchValue(name: string): string | undefined {
  const found = process.argv.find((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`));
  return found?.slice(name.length + 3);
}

const commandLine = {
  hasSwitch: (name) => switchValue(name) !== undefined,
  getSwitchValue: (name) => switchValue(name) ?? '',
} satisfies Partial<CommandLine>;

const parts = {
  isPackaged: false,
  enableSandbox: () => undefined,
  setName: () => undefined,
  setAppUserModelId: () => undefined,
  disableHardwareAcceleration: () => undefined,
  setPath: (name: string, path: string) => void paths.set(name, path),
  getPath: (name: string) => paths.get(name) ?? switchValue('user-data-dir') ?? join(tmpdir(), name),
  whenReady: () => ready.promise,
  requestSingleInstanceLock: () => true,
  setAsDefaultProtocolClient: () => true,
  getLocale: () => 'en-GB',
  getLoginItemSettings: () => ({ openAtLogin: false }) as LoginItemSettings,
  setLoginItemSettings: () => undefined,
  exit: (code = 0) => process.exit(code),
  quit: () => {
    if (isQuitting) return;
    let prevented = false;
    const event = { preventDefault: () => (prevented = true) };
    app.emit('before-quit', event);
    if (prevented) return;
    isQuitting = true;
    app.emit('quit');
    process.exit(0);
  },
} satisfies Partial<App>;

export const app = Object.assign(new EventEmitter(), parts, { commandLine });

channel.hear('quit', () => app.quit());
channel.hear('second-instance', ({ argv }) => app.emit('second-instance', {}, argv, process.cwd(), undefined));
process.once('disconnect', () => process.exit(1));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Autostart } from '../../../src-main/desktop/autostart.ts';
import { systemLoginItem } from '../../../src-main/desktop/login-item.ts';

const app = vi.hoisted(() => ({ isPackaged: true, openAtLogin: false }));
vi.mock('electron', () => ({
  app: {
    get isPackaged() {
      return app.isPackaged;
    },
    getLoginItemSettings: () => ({ openAtLogin: app.openAtLogin }),
    setLoginItemSettings: ({ openAtLogin }: { openAtLogin: boolean }) => {
      app.openAtLogin = openAtLogin;
    },
  },
}));

const { platform } = process;
afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

describe('systemLoginItem', () => {
  it('is the system’s own on Windows and macOS', async () => {
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const item = systemLoginItem();
    await item.set(true);
    expect(app.openAtLogin).toBe(true);
    expect(await item.get()).toBe(true);
  });

  it('cannot be had from a checkout', async () => {
    app.isPackaged = false;
    expect(await systemLoginItem().get()).toBeNull();
  });
});

describe('Autostart', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-autostart-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('writes the file that Linux desktops look for, and takes it away again', async () => {
    const autostart = new Autostart('/opt/Quarry/quarry', { XDG_CONFIG_HOME: folder });
    expect(await autostart.get()).toBe(false);
    await autostart.set(true);
    await autostart.set(true);
    expect(await autostart.get()).toBe(true);
    expect(await readFile(join(folder, 'autostart', 'quarry.desktop'), 'utf8')).toBe(
      '[Desktop Entry]\nType=Application\nName=Quarry\nExec="/opt/Quarry/quarry"\nTerminal=false\nNoDisplay=true\n',
    );
    await autostart.set(false);
    await autostart.set(false);
    expect(await autostart.get()).toBe(false);
    expect(await readdir(join(folder, 'autostart'))).toEqual([]);
  });

  it('quotes what would mean something else in such a file', async () => {
    await new Autostart('/home/a "b"/100%/$x.AppImage', { XDG_CONFIG_HOME: folder }).set(true);
    const text = await readFile(join(folder, 'autostart', 'quarry.desktop'), 'utf8');
    expect(text).toContain(String.raw`Exec="/home/a \\"b\\"/100%%/\\$x.AppImage"`);
  });
});

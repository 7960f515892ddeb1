import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Autostart, systemLoginItem } from '../../../../src-main/desktop/shell/login-item.ts';

const app = vi.hoisted(() => ({ isPackaged: true, openAtLogin: false, switchedOff: false }));
vi.mock('electron', () => ({
  app: {
    get isPackaged() {
      return app.isPackaged;
    },
    getLoginItemSettings: () => ({
      openAtLogin: app.openAtLogin,
      executableWillLaunchAtLogin: app.openAtLogin && !app.switchedOff,
    }),
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
    app.switchedOff = true;
    expect(await item.get()).toBe(false);
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    expect(await systemLoginItem().get()).toBe(true);
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

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('is off where the desktop wrote %s', async (line) => {
    const autostart = new Autostart('/opt/Quarry/quarry', { XDG_CONFIG_HOME: folder });
    await autostart.set(true);
    await appendFile(join(folder, 'autostart', 'quarry.desktop'), `${line}\n`);
    expect(await autostart.get()).toBe(false);
    await autostart.renew();
    expect(await autostart.get()).toBe(false);
  });

  it('follows a program that has moved, as an AppImage does with an update', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    const text = async () => await readFile(join(folder, 'autostart', 'quarry.desktop'), 'utf8');
    await new Autostart('/home/a/Quarry-1.0.0.AppImage', env).renew();
    await expect(text()).rejects.toThrow('ENOENT');
    await new Autostart('/home/a/Quarry-1.0.0.AppImage', env).set(true);
    await new Autostart('/home/a/Quarry-1.1.0.AppImage', env).renew();
    expect(await text()).toContain('Exec="/home/a/Quarry-1.1.0.AppImage"');
  });

  it('quotes what would mean something else in such a file', async () => {
    await new Autostart('/home/a "b"/100%/$x.AppImage', { XDG_CONFIG_HOME: folder }).set(true);
    const text = await readFile(join(folder, 'autostart', 'quarry.desktop'), 'utf8');
    expect(text).toContain(String.raw`Exec="/home/a \\"b\\"/100%%/\\$x.AppImage"`);
  });
});

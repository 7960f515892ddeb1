import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DesktopAbilities } from '../../../../src-main/desktop/shell/desktop-abilities.ts';
import type { Updates } from '../../../../src-main/desktop/shell/updates.ts';
import { PlainVault } from '../../../../src-main/settings/secret-vault.ts';
import { until } from '../../../support/until.ts';

const electron = vi.hoisted(() => ({
  openPath: vi.fn(async () => ''),
  showOpenDialog: vi.fn(async () => ({ canceled: false, filePaths: ['/models/a.gguf'] })),
}));
vi.mock('electron', () => ({
  shell: { openPath: electron.openPath },
  dialog: { showOpenDialog: electron.showOpenDialog },
}));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-desktop-'));
  vi.clearAllMocks();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function abilities({ login = false as boolean | null, update = 'current', installs = true } = {}) {
  const order: string[] = [];
  const state = { startOnLogin: login };
  const desktop = new DesktopAbilities({
    vault: new PlainVault(),
    loginItem: {
      get: async () => state.startOnLogin,
      set: async (on) => {
        state.startOnLogin = on;
      },
      renew: async () => undefined,
    },
    updates: {
      state: { state: update },
      install: (onFailure: () => void) => {
        if (update !== 'ready') throw new Error('none is ready');
        order.push('install');
        if (!installs) onFailure();
      },
    } as unknown as Updates,
    window: () => undefined,
    beforeInstall: async () => void order.push('close'),
    quit: () => void order.push('quit'),
  });
  return { desktop, order };
}

describe('DesktopAbilities', () => {
  it('says what this desktop can do', async () => {
    expect(await abilities().desktop.state()).toMatchObject({
      available: true,
      startOnLogin: false,
      secrets: { protected: false },
      update: { state: 'current' },
    });
  });

  it('switches start on login where that can be had, and says so where not', async () => {
    const { desktop } = abilities();
    await desktop.setStartOnLogin(true);
    expect((await desktop.state()).startOnLogin).toBe(true);
    await expect(abilities({ login: null }).desktop.setStartOnLogin(true)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('shows folders, and never opens a file, which would run it', async () => {
    const { desktop } = abilities();
    await desktop.openFolder(folder);
    expect(electron.openPath).toHaveBeenCalledExactlyOnceWith(folder);
    const program = join(folder, 'program.sh');
    await writeFile(program, '#!/bin/sh');
    await expect(desktop.openFolder(program)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(desktop.openFolder(join(folder, 'nothing'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(electron.openPath).toHaveBeenCalledOnce();
  });

  it('gives the file that was picked, and null for none', async () => {
    const { desktop } = abilities();
    expect(await desktop.pickModelFile()).toBe('/models/a.gguf');
    electron.showOpenDialog.mockResolvedValueOnce({ canceled: true, filePaths: [] });
    expect(await desktop.pickFolder()).toBeNull();
  });

  it('closes the node before a new version takes over', async () => {
    const { desktop, order } = abilities({ update: 'ready' });
    await desktop.installUpdate();
    await until(() => expect(order).toEqual(['close', 'install']));
  });

  it('ends all the same when the installer does not start', async () => {
    const { desktop, order } = abilities({ update: 'ready', installs: false });
    await desktop.installUpdate();
    await until(() => expect(order).toEqual(['close', 'install', 'quit']));
  });

  it('closes nothing for an update that is not there', async () => {
    const { desktop, order } = abilities();
    await expect(desktop.installUpdate()).rejects.toThrow('none is ready');
    expect(order).toEqual([]);
  });
});

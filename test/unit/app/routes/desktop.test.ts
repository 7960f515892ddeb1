import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { DesktopPort } from '../../../../src-main/app/host/host-ports.ts';
import { desktopRoutes } from '../../../../src-main/app/routes/desktop.ts';
import { implementer } from '../../../../src-main/app/routes/implementer.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import type { DesktopState } from '../../../../src-preload/contract/desktop.ts';

const config = loadConfig({ env: {}, flags: { dataDir: '/somewhere/data' } });

function desktopOf(desktop?: DesktopPort) {
  const domain = implementer(pino({ level: 'silent' })).domain('desktop');
  return createRouterClient(desktopRoutes(domain, { ports: { desktop }, config }));
}

describe('the desktop’s calls without a desktop', () => {
  it('say what is not there, and how secrets are kept', async () => {
    expect(await desktopOf().state()).toEqual({
      available: false,
      reason: expect.stringMatching(/without a window/),
      said: { reason: { key: 'desktop.withoutWindow' } },
      startOnLogin: null,
      secrets: {
        protected: false,
        note: expect.stringMatching(/unencrypted/),
        said: { note: { key: 'desktop.unencrypted' } },
      },
      update: {
        state: 'off',
        message: expect.stringMatching(/without a window/),
        said: { message: { key: 'desktop.noUpdates' } },
      },
    });
  });

  it('fail naming what to do instead', async () => {
    const desktop = desktopOf();
    const missing = (hint: RegExp) => ({ data: { code: 'NOT_RUNNING', hint: expect.stringMatching(hint) } });
    await expect(desktop.setStartOnLogin({ on: true })).rejects.toMatchObject(missing(/quarry start --headless/));
    await expect(desktop.pickModelFile()).rejects.toMatchObject(missing(/path of the file/));
    await expect(desktop.pickFolder()).rejects.toMatchObject(missing(/path of the folder/));
    await expect(desktop.openFolder({ folder: 'data' })).rejects.toMatchObject(missing(/\/somewhere\/data/));
    await expect(desktop.checkForUpdate()).rejects.toMatchObject(missing(/the way it was installed/));
    await expect(desktop.installUpdate()).rejects.toMatchObject(missing(/the way it was installed/));
  });
});

describe('the desktop’s calls', () => {
  it('show Quarry’s own folders and no others', async () => {
    const shown: string[] = [];
    const desktop = desktopOf({ openFolder: async (path: string) => void shown.push(path) } as DesktopPort);
    await desktop.openFolder({ folder: 'data' });
    await desktop.openFolder({ folder: 'models' });
    expect(shown).toEqual(['/somewhere/data', '/somewhere/data/models']);
    await expect(desktop.openFolder({ folder: '/etc' as 'data' })).rejects.toMatchObject({
      data: { code: 'BAD_REQUEST' },
    });
  });

  it('answer with what is so now', async () => {
    const state: DesktopState = {
      available: true,
      startOnLogin: false,
      secrets: { protected: true, note: 'The system keeps them.' },
      update: { state: 'current' },
    };
    const setStartOnLogin = async (on: boolean) => {
      state.startOnLogin = on;
    };
    const desktop = desktopOf({ state: async () => state, setStartOnLogin } as DesktopPort);
    expect(await desktop.setStartOnLogin({ on: true })).toMatchObject({ available: true, startOnLogin: true });
  });
});

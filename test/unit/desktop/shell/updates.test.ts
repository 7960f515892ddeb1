import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Updater, Updates, whyOff } from '../../../../src-main/desktop/shell/updates.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

class FakeUpdater extends EventEmitter {
  autoDownload = false;
  autoInstallOnAppQuit = false;
  allowDowngrade = true;
  allowPrerelease = true;
  checkForUpdates = vi.fn(async () => null);
  quitAndInstall = vi.fn();
}

let updates: Updates | undefined;
afterEach(() => updates?.close());

function withUpdater() {
  const updater = new FakeUpdater();
  updates = new Updates(updater as unknown as Updater);
  return { updater, updates };
}

describe('a build', () => {
  const build = { isPackaged: true, hasFeed: true, platform: 'linux', key: 'ab' } as const;

  it.each([
    ['runs from its sources', { isPackaged: false }, 'desktop.fromSources'],
    ['names no place of them', { hasFeed: false }, 'desktop.noFeed'],
    ['is for Linux and knows no key', { key: undefined }, 'desktop.noFeedKey'],
  ])('that %s has no updates, and says why', (_, missing, key) => {
    expect(whyOff({ ...build, ...missing })).toMatchObject({ key });
  });

  it('has them where the system or a key says who made them', () => {
    expect(whyOff(build)).toBeUndefined();
    for (const platform of ['win32', 'darwin'] as const) {
      expect(whyOff({ ...build, platform, key: undefined })).toBeUndefined();
    }
  });
});

describe('Updates', () => {
  it('fetches by itself, and never an older version or a trial one', () => {
    const { updater } = withUpdater();
    expect(updater).toMatchObject({ autoDownload: true, allowDowngrade: false, allowPrerelease: false });
  });

  it('never touches the check of signatures', () => {
    const { updater } = withUpdater();
    expect(updater).not.toHaveProperty('verifyUpdateCodeSignature');
  });

  it('goes from looking to fetching to ready', async () => {
    const { updater, updates } = withUpdater();
    updater.checkForUpdates.mockImplementation(async () => {
      expect(updates.state).toEqual({ state: 'checking' });
      updater.emit('update-available', { version: '2.0.0' });
      return null;
    });
    expect(await updates.check()).toEqual({ state: 'downloading', version: '2.0.0', percent: 0 });
    updater.emit('download-progress', { percent: 40 });
    expect(updates.state).toEqual({ state: 'downloading', version: '2.0.0', percent: 40 });
    updater.emit('update-downloaded', { version: '2.0.0' });
    expect(updates.state).toEqual({ state: 'ready', version: '2.0.0' });
    await updates.check();
    expect(updater.checkForUpdates).toHaveBeenCalledOnce();
    const onFailure = vi.fn();
    updates.install(onFailure);
    expect(updater.quitAndInstall).toHaveBeenCalledOnce();
    expect(onFailure).not.toHaveBeenCalled();
    updater.emit('error', new Error('no installer'));
    expect(onFailure).toHaveBeenCalledOnce();
  });

  it('installs nothing while nothing is ready', () => {
    const { updater, updates } = withUpdater();
    expect(() => updates.install(vi.fn())).toThrow('no update');
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
  });

  it('says in a sentence what went wrong, and tries again when asked', async () => {
    const { updater, updates } = withUpdater();
    updater.checkForUpdates.mockRejectedValueOnce(new Error('404\n<html>a page</html>'));
    expect(await updates.check()).toEqual({
      state: 'failed',
      message: 'The update could not be fetched: 404',
      said: { message: { key: 'desktop.updateFailed', params: { reason: '404' } } },
    });
    updater.checkForUpdates.mockImplementationOnce(async () => {
      updater.emit('update-not-available', { version: '1.0.0' });
      return null;
    });
    expect(await updates.check()).toEqual({ state: 'current' });
  });

  it('says a refusal of ours as it is', async () => {
    const { updater, updates } = withUpdater();
    const message = say('desktop.feedNotSigned');
    updater.checkForUpdates.mockRejectedValueOnce(new QuarryError({ code: 'PROTOCOL', message }));
    expect(await updates.check()).toMatchObject({ state: 'failed', said: { message } });
  });

  it('is off, with the reason, where there is nothing to ask', async () => {
    updates = new Updates(undefined, 'This copy runs from its sources.');
    updates.open();
    expect(await updates.check()).toEqual({ state: 'off', message: 'This copy runs from its sources.' });
  });
});

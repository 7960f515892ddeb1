import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Updater, Updates } from '../../../../src-main/desktop/shell/updates.ts';

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

  it('is off, with the reason, where there is nothing to ask', async () => {
    updates = new Updates(undefined, 'This copy runs from its sources.');
    updates.open();
    expect(await updates.check()).toEqual({ state: 'off', message: 'This copy runs from its sources.' });
  });
});

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DataDirLock } from '../../src-main/app/host/data-dir-lock.ts';
import { ignoring } from '../../src-main/base/swallowed.ts';
import { findChromium } from '../support/chromium.ts';
import { bundlesWithFixturePage } from '../support/electron-double/bundles.ts';
import { DesktopApp, type LaunchOptions, launchElectronPages } from '../support/electron-double/driver.ts';
import { quarry } from '../support/quarry-process.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

const chromium = findChromium();

/** The built bundles of main and preload on a double of Electron; a real engine, mesh, database and Chromium. */
describe.skipIf(!chromium)('the desktop app', () => {
  let build: Awaited<ReturnType<typeof bundlesWithFixturePage>>;
  let testnet: Testnet;
  let browser: Browser;
  let dataDir: string;
  let app: DesktopApp | undefined;

  beforeAll(async () => {
    build = await bundlesWithFixturePage('desktop-shell');
    testnet = await openTestnet();
    browser = await launchElectronPages(chromium ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await testnet?.close();
    await build?.remove();
  });
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'quarry-desktop-'));
  });
  afterEach(async () => {
    await app?.quit();
    app = undefined;
    await rm(dataDir, { recursive: true, force: true });
  });

  async function launch(options: Partial<LaunchOptions> = {}): Promise<DesktopApp> {
    const bootstrap = testnet.bootstrap.map(({ host, port }) => `${host}:${port}`).join();
    const env = { QUARRY_BOOTSTRAP: bootstrap, QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false', ...options.env };
    app = new DesktopApp({ dataDir, bundles: build.bundles, browser, ...options, env });
    return app;
  }

  const CLIENT = { QUARRY_ROLE: 'client' };

  /** Waits until the fixture's page shows such a text. */
  async function shows(desktop: DesktopApp, id: string, text: RegExp): Promise<string> {
    const place = (await desktop.window()).locator(`#${id}`, { hasText: text });
    await place.waitFor();
    return (await place.textContent()) ?? '';
  }

  it('mines from the window and from the tray, with the engine in a utility process', async () => {
    const desktop = await launch({ env: { QUARRY_MINE_ON_START: 'false' } });
    await shows(desktop, 'state', /^miner [0-9a-f]{64}$/);
    await shows(desktop, 'mining', /^stopped$/);
    expect(desktop.tray?.image).toMatch(/^stopped/);

    await desktop.page.click('#start');
    await shows(desktop, 'mining', /^running$/);
    await desktop.until(() => desktop.tray?.toolTip === 'Quarry · mining');
    expect(desktop.tray?.image).toMatch(/^mining/);

    desktop.clickTray('stop');
    await shows(desktop, 'mining', /^stopped$/);
  });

  it('gives way to people and batteries as the system tells of them', async () => {
    const desktop = await launch({ env: { QUARRY_MINE_ON_START: 'false', QUARRY_POLICY_HEAT: 'off' } });
    await shows(desktop, 'policy', /^full$/);
    desktop.power('on-battery');
    await shows(desktop, 'policy', /^paused battery$/);
    desktop.power('on-ac');
    await shows(desktop, 'policy', /^full$/);
    desktop.power('unlock-screen', 1);
    await shows(desktop, 'policy', /^throttled user$/);
    desktop.power('lock-screen'); // a key was pressed a second ago, and nobody is there any more
    await shows(desktop, 'policy', /^full$/);
  });

  it('lets a page run only what was built into it, and go nowhere', async () => {
    const desktop = await launch({ env: CLIENT });
    await shows(desktop, 'state', /^client/);
    expect(await desktop.page.locator('#inline').textContent()).toBe('not run');
    expect(await desktop.page.locator('#nonce').textContent()).toBe('run');
    const isReached = (url: string) =>
      desktop.page.evaluate(
        (address) =>
          fetch(address, { mode: 'no-cors' }).then(
            () => true,
            () => false, // which is what is asked
          ),
        url,
      );
    expect(await isReached('http://127.0.0.1:1/')).toBe(false);
    expect(desktop.strays).toEqual([]); // the page's own policy held it
    await desktop.page.click('#elsewhere');
    await desktop.page.click('#docs');
    await desktop.until(() => desktop.opened.length > 0);
    expect(desktop.opened).toEqual(['https://github.com/']);
  });

  it('goes on in the tray without a page, and comes back where it was', async () => {
    const desktop = await launch({ env: CLIENT });
    const before = await shows(desktop, 'state', /^client/);
    await desktop.closeWindow();
    expect(desktop.hasWindow).toBe(false);
    await desktop.until(() => desktop.notifications.length > 0);
    expect(desktop.notifications[0]?.title).toBe('Quarry goes on');

    desktop.clickTray('open');
    expect(await shows(desktop, 'state', /^client/)).toBe(before);
    await until(async () => {
      const kept = JSON.parse(await readFile(join(dataDir, 'electron', 'window-state.json'), 'utf8'));
      expect(kept.bounds).toMatchObject({ width: 1_200, height: 800 });
    });

    await desktop.closeWindow();
    desktop.startAgain('quarry://models');
    await shows(desktop, 'state', /^client/);
    expect(new URL(desktop.page.url()).hash).toBe('#/models');
  });

  it('connects its page to the next node when the node is restarted', async () => {
    const desktop = await launch({ env: CLIENT });
    await shows(desktop, 'connections', /^1$/);
    await desktop.page.click('#restart');
    await shows(desktop, 'connections', /^2$/);
    await shows(desktop, 'state', /^client/);
  });

  it('ends with the window where people want that, and leaves the data folder free', async () => {
    const desktop = await launch({ env: { ...CLIENT, QUARRY_DESKTOP_CLOSE_TO_TRAY: 'false' } });
    await shows(desktop, 'state', /^client/);
    await desktop.closeWindow().catch(ignoring('it may be gone before that is seen'));
    await desktop.exited;
    expect(desktop.child.exitCode).toBe(0);
    const lock = new DataDirLock(dataDir);
    await lock.open();
    await lock.close();
  });

  it('makes a system that shuts down wait until its node is closed', async () => {
    const desktop = await launch({ env: CLIENT });
    await shows(desktop, 'state', /^client/);
    desktop.power('shutdown');
    await desktop.exited;
    expect(desktop.delaysShutdown).toBe(true);
    expect(desktop.child.exitCode).toBe(0);
    expect(await readdir(dataDir)).not.toContain('node.json');
  });

  it('is ended by `quarry stop`, with a window and without', async () => {
    for (const args of [[], ['--headless']]) {
      const desktop = await launch({ env: CLIENT, args });
      await desktop.until(() => existsSync(join(dataDir, 'node.json')));
      const { child, stdout, stderr } = await quarry(['stop', '--data', dataDir]);
      expect([child.exitCode, stdout], stderr).toEqual([0, 'Stopped.\n']);
      await desktop.exited;
      expect(desktop.child.exitCode).toBe(0);
      expect(await readdir(dataDir)).not.toContain('node.json');
    }
  });

  it('says in words why the node does not open, and tries again', async () => {
    const lock = new DataDirLock(dataDir);
    await lock.open();
    const desktop = await launch({ env: CLIENT });
    await desktop.until(() => desktop.dialogs.length === 1);
    const [dialog] = desktop.dialogs;
    expect(dialog?.message).toBe('Quarry could not start.');
    expect(dialog?.detail).toContain(`The data folder ${dataDir} is in use`);
    expect(dialog?.detail).not.toMatch(/\bat .*\.js:\d+/);
    expect(desktop.tray?.image).toMatch(/^trouble/);

    await lock.close();
    desktop.answerDialog('Try again');
    await shows(desktop, 'state', /^client/);
    await desktop.until(() => desktop.tray?.image.startsWith('stopped') === true);
  });

  it('quits from that dialog', async () => {
    const desktop = await launch({ env: { QUARRY_PORT: 'everywhere' } });
    await desktop.until(() => desktop.dialogs.length === 1);
    expect(desktop.dialogs[0]?.detail).toContain('QUARRY_PORT');
    desktop.answerDialog('Quit');
    await desktop.exited;
    expect(desktop.child.exitCode).toBe(0);
  });

  it('starts in the tray where people want that', async () => {
    const desktop = await launch({ env: { ...CLIENT, QUARRY_DESKTOP_START_MINIMISED: 'true' } });
    await desktop.until(() => desktop.tray?.toolTip === 'Quarry · not mining');
    expect(desktop.hasWindow).toBe(false);
  });

  it('serves its screens without a window when it is told to', async () => {
    const desktop = await launch({ env: CLIENT, args: ['--headless'] });
    await desktop.until(() => /Quarry is open: http/.test(desktop.output));
    const [, url = ''] = /open: (http:\/\/[^/]+)\/enter/.exec(desktop.output) ?? [];
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'ok' });
    expect(desktop.hasWindow).toBe(false);
    expect(desktop.tray).toBeUndefined();
    expect(await desktop.quit()).toBe(0);
    expect(await readdir(dataDir)).not.toContain('node.json');
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWholeChromium, launchChromium } from '../support/chromium.ts';
import { DesktopApp } from '../support/electron-double/driver.ts';
import { takePictures } from '../support/pictures.ts';

/** Beside what {@link launchElectronPages} has: nobody is there to accept that the page is recorded. */
const FLAGS = ['--enable-blink-features=MessagePortCloseEvent', '--auto-accept-this-tab-capture'];
/** Electron would give what was chosen; Chromium gives the page itself. */
const SHARES_ITSELF = `{
  const share = navigator.mediaDevices?.getDisplayMedia?.bind(navigator.mediaDevices);
  if (share) navigator.mediaDevices.getDisplayMedia = (options) => share({ ...options, preferCurrentTab: true });
}`;

/** What a timer «m:ss» shows. On a busy machine a test sees some of its seconds only. */
async function secondsOf(timer: Locator): Promise<number> {
  const [minutes, seconds] = ((await timer.textContent()) ?? '').split(':').map(Number);
  return (minutes ?? Number.NaN) * 60 + (seconds ?? Number.NaN);
}

const chromium = findWholeChromium();

describe.skipIf(!chromium)('recording in the window of the desktop app', () => {
  let browser: Browser;
  let dataDir: string;
  let app: DesktopApp;

  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '', FLAGS);
    browser.on('context', (context) => void context.addInitScript({ content: SHARES_ITSELF }));
    dataDir = await mkdtemp(join(tmpdir(), 'quarry-focus-desktop-'));
    const env = { QUARRY_ROLE: 'client', QUARRY_BOOTSTRAP: '127.0.0.1:9', QUARRY_SHOW_WELCOME: 'false' };
    app = new DesktopApp({ dataDir, env: { ...env, QUARRY_LANGUAGE: 'en' }, browser });
  });

  afterAll(async () => {
    await app?.quit();
    await browser?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('asks which screen or window, hands over what is recorded, and plays it, all over its own scheme', async () => {
    const page = await app.window();
    await page.getByRole('link', { name: 'Focus' }).click();
    await page.getByLabel('What are you going to do?').fill('Mend a budget');
    const begin = page.getByRole('button', { name: 'Choose what to record' });
    app.openOthers('Passwords.kdbx - KeePassXC');
    await begin.click();
    const choice = page.getByRole('dialog', { name: 'What should be recorded?' });
    await choice.getByRole('button', { name: 'Entire screen' }).waitFor();
    await page.getByText('Choose a screen or a window from those that are shown.').waitFor();
    expect(await page.getByText(/browser/).count()).toBe(0);
    await page.keyboard.press('Escape');
    await choice.waitFor({ state: 'detached' });

    await begin.click();
    await choice.getByRole('button', { name: 'Budget app' }).waitFor();
    await choice.getByText('One window is not offered').waitFor();
    expect(await choice.getByRole('button', { name: /KeePassXC/ }).count()).toBe(0);
    await takePictures(page, 'focus/picker');
    app.openOthers();
    await choice.getByRole('button', { name: 'Entire screen' }).click();
    const timer = page.getByRole('timer');
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return await secondsOf(timer);
      })
      .toBeGreaterThanOrEqual(3);
    app.openOthers('New Incognito Tab - Google Chrome (Incognito)');
    await page.getByText('A window with «Incognito» in its title is open.').waitFor();
    await page
      .locator('header')
      .getByRole('button', { name: /^Paused: a window is open/ })
      .waitFor();
    await takePictures(page, 'focus/covered');
    app.openOthers();
    await page
      .locator('header')
      .getByRole('button', { name: /^Recording/ })
      .waitFor();
    await app.until(() => app.menu.some(({ label }) => /^Recording «Mend a budget», \d+ min$/.test(label ?? '')));
    app.clickTray('pause-recording');
    await page
      .locator('header')
      .getByRole('button', { name: /^Paused/ })
      .waitFor();
    await app.until(() => app.menu.some(({ id }) => id === 'resume-recording'));
    app.clickTray('resume-recording');
    await page
      .locator('header')
      .getByRole('button', { name: /^Recording/ })
      .waitFor();
    await expect.poll(() => secondsOf(timer)).toBeGreaterThanOrEqual(4);
    app.press('CommandOrControl+Shift+Backspace'); // whichever program has the keyboard
    await page
      .locator('header')
      .getByRole('button', { name: /^Paused 0:00/ })
      .waitFor();
    await page.locator('header').getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => secondsOf(timer)).toBeGreaterThanOrEqual(3);
    await page.getByRole('button', { name: 'Finish' }).click();
    await begin.waitFor();
    await page.getByRole('link', { name: 'Library' }).click();
    const details = page.getByRole('region', { name: 'Mend a budget' });
    await details.getByText('It is as it was recorded.').waitFor();
    await details.getByRole('button', { name: 'Play' }).click();
    const video = page.getByRole('dialog', { name: 'Mend a budget' }).locator('video');
    await expect
      .poll(() => video.evaluate((element) => (element as unknown as { duration: number }).duration))
      .toBeGreaterThan(2);
    expect(app.strays).toEqual([]);
  });
});

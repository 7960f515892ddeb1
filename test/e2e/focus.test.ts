import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWholeChromium, launchChromium } from '../support/chromium.ts';
import { cookieOfLink } from '../support/owner.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const chromium = findWholeChromium();
let browser: Browser;
let context: BrowserContext;
let page: Page;
let node: QuarryProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let port = '0';

async function startNode(): Promise<void> {
  const flags = ['--role', 'client', '--port', port, '--data', folder.path, '--bootstrap', '127.0.0.1:9'];
  node = new QuarryProcess(['start', '--headless', ...flags], { QUARRY_SHOW_WELCOME: 'false' });
  const [, link = ''] = await node.printed(/screens\s+(\S+)/);
  port = new URL(link).port;
  await context.addCookies([await cookieOfLink(link)]);
}

async function openPage(): Promise<void> {
  page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/#/focus`);
}

/** Nobody is there to choose what is shared: it is this very page, which moves while somebody types. */
async function begin(title: string): Promise<void> {
  await page.getByLabel('What are you going to do?').fill(title);
  await page.getByRole('button', { name: 'Choose what to record' }).click();
  await seconds(3);
}

/** Waits until the recording has so many seconds; keys are pressed meanwhile, and so the picture changes. */
async function seconds(count: number): Promise<void> {
  const timer = page.getByRole('timer');
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab');
      const [minutes = 0, rest = 0] = ((await timer.textContent()) ?? '').split(':').map(Number);
      return 60 * minutes + rest;
    })
    .toBeGreaterThanOrEqual(count);
}

/** Pictures for people, where they are wanted: `QUARRY_TEST_PICTURES=1`. */
async function picture(name: string): Promise<void> {
  if (!process.env.QUARRY_TEST_PICTURES) return;
  for (const width of [1_280, 400]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 720 });
      await page.waitForTimeout(500);
      await page.screenshot({ path: `test-results/focus/${name}-${colorScheme}-${width}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_280, height: 720 });
}

/** What is pulled out, or not shared any more: the browser says so by an event. */
async function end(stream: 'microphone' | 'screenShared'): Promise<void> {
  await page.evaluate(`for (const track of ${stream}.getTracks()) {
    track.stop();
    track.dispatchEvent(new Event('ended'));
  }`);
}

/** Opens the details of a recording in the library. */
async function details(title: string): Promise<Locator> {
  await page.getByRole('link', { name: 'Library' }).click();
  const region = page.getByRole('region', { name: title });
  await region.getByText('It is as it was recorded.').waitFor();
  return region;
}

async function finish(): Promise<void> {
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('button', { name: 'Choose what to record' }).waitFor();
}

describe.skipIf(!chromium)('recording in a real browser', () => {
  beforeAll(async () => {
    if (!chromium) return;
    browser = await launchChromium(chromium, ['--auto-accept-this-tab-capture']);
    context = await browser.newContext({ viewport: { width: 1_280, height: 720 } });
    await context.addInitScript(`{
      const share = navigator.mediaDevices?.getDisplayMedia?.bind(navigator.mediaDevices);
      if (share) {
        navigator.mediaDevices.getDisplayMedia = async (options) =>
          (globalThis.screenShared = await share({ ...options, preferCurrentTab: true }));
        navigator.mediaDevices.getUserMedia = async () => {
          const context = new AudioContext();
          const heard = context.createMediaStreamDestination();
          const beep = context.createOscillator();
          beep.connect(heard);
          beep.start();
          return (globalThis.microphone = heard.stream);
        };
      }
    }`);
    folder = await temporaryFolder();
    await startNode();
    await openPage();
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await folder?.remove();
  });

  it('records this page, counts keys, and says in the library what the rules found', async () => {
    await picture('form');
    await begin('Press some keys');
    await seconds(6);
    await page.getByRole('region', { name: 'Recording' }).getByLabel('What is being recorded').waitFor();
    await picture('recording');
    await page.getByRole('link', { name: 'Models' }).click(); // it goes on while another page is open
    await page.getByRole('link', { name: 'Focus' }).click();
    await seconds(8);
    await finish();
    await page.getByRole('link', { name: 'Library' }).click();
    const details = page.getByRole('region', { name: 'Press some keys' });
    await details.getByText('It is as it was recorded.').waitFor();
    await details.getByText(/at least 60 are wanted/).waitFor();
    await details.getByText('A page of the browser').waitFor();
    await details.getByRole('button', { name: 'Play' }).click();
    const video = details.locator('video');
    await expect
      .poll(() => video.evaluate((element) => (element as unknown as { duration: number }).duration))
      .toBeGreaterThan(7);
    await expect
      .poll(() => video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime))
      .toBeGreaterThan(1);
  });

  it('loses nothing when the node is killed amid it, and ends at the one that was started then', async () => {
    await page.getByRole('link', { name: 'Record' }).click();
    await begin('Outlive the node');
    await page.getByRole('link', { name: 'Models' }).click();
    await node.stop('SIGKILL');
    await page.getByText('No connection to Quarry.').waitFor();
    const header = page.locator('header');
    await header.getByRole('button', { name: 'Pause' }).click(); // nobody has to be recorded because Quarry is away
    await header.getByRole('button', { name: /^Paused/ }).click();
    await page.getByRole('menuitem', { name: 'Go on' }).click();
    await page.getByRole('link', { name: 'Focus Recording' }).click();
    await page.getByText(/cannot be reached/).waitFor();
    await picture('away');
    await startNode();
    await page.getByText('It stays on this computer, and is on its disk').waitFor();
    await seconds(8);
    await finish();
    await page.getByRole('link', { name: 'Library' }).click();
    const details = page.getByRole('region', { name: 'Outlive the node' });
    await details.getByText('It is as it was recorded.').waitFor();
    const length = await page.getByRole('row', { name: /Outlive the node/ }).textContent();
    expect(length).toMatch(/0:(0[7-9]|[1-5]\d)/);
  });

  it('forgets the last minute at a key, wherever in the app, and pauses', async () => {
    await page.getByRole('link', { name: 'Record' }).click();
    await begin('Not for anybody');
    await page.getByRole('link', { name: 'Models' }).click();
    await page.keyboard.press('Control+Shift+Backspace');
    const header = page.locator('header');
    await header.getByRole('button', { name: 'Paused 0:00' }).waitFor();
    await header.getByRole('button', { name: 'Paused 0:00' }).click();
    await page.getByRole('menuitem', { name: 'Finish' }).click();
    await page.getByRole('link', { name: 'Focus' }).click();
    await page.getByText('not one second was recorded').waitFor();
    await page.getByRole('link', { name: 'Library' }).click();
    await page
      .getByText(/Nothing was recorded yet|Outlive the node/)
      .first()
      .waitFor();
    expect(await page.getByRole('row', { name: /Not for anybody/ }).count()).toBe(0);
  });

  it('goes on without a microphone that is pulled out, and ends when nothing is shared any more; both in words', async () => {
    await page.getByRole('link', { name: 'Record' }).click();
    await page.getByRole('switch', { name: 'Record the microphone' }).check();
    await begin('Talk while you work');
    await page.getByText('A page of the browser and the microphone.').waitFor();
    await end('microphone');
    await page.getByText('The microphone is gone. The recording goes on without it.').waitFor();
    await page.getByText('A page of the browser and no sound.').waitFor();
    await seconds(6);
    await end('screenShared');
    await page.getByText('It ended, because nothing was shared any more.').waitFor();
    const region = await details('Talk while you work');
    await region.getByText('Microphone', { exact: true }).waitFor(); // for a part of it
    await region.getByText(/^0:0[6-9]$/).waitFor();
  });

  it('ends in words when the drive is full, with everything until then', async () => {
    await page.getByRole('link', { name: 'Record' }).click();
    await begin('Fill the drive');
    await page.route('**/focus/chunks?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), ended: 'disk' } });
    });
    await page.getByText('It ended: the drive is nearly full.').waitFor();
    await page.unroute('**/focus/chunks?*');
    await page.getByRole('button', { name: 'Keep as it is' }).click(); // the node was not asked to end it
    await details('Fill the drive');
  });

  it('offers what was recorded when the page was closed amid it, and keeps it as it is', async () => {
    await page.getByRole('link', { name: 'Record' }).click();
    await begin('Outlive the page');
    await page.close();
    await openPage(); // at the same node: ten seconds later it takes the page before for gone
    await page.getByText('«Outlive the page» is being recorded in another window').waitFor();
    await page.getByText('Interrupted').first().waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await seconds(6);
    await page.close();
    await node.stop('SIGKILL');
    await startNode();
    await openPage();
    await page.getByRole('button', { name: 'Keep as it is' }).click();
    await page.getByRole('link', { name: 'Library' }).click();
    const details = page.getByRole('region', { name: 'Outlive the page' });
    await details.getByText('It is as it was recorded.').waitFor();
    await details.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.getByRole('row', { name: /Outlive the page/ }).count()).toBe(0);
  });
});

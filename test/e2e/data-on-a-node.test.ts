import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { cookieOfLink } from '../support/owner.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const chromium = findChromium();

/** A real node that has no clips yet, and a browser. */
describe.skipIf(!chromium)('the page of data of a node', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let node: QuarryProcess;
  let browser: Browser;
  let page: Page;
  let url: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = await temporaryFolder();
    const args = ['start', '--headless', '--json', '--port', '0', '--bootstrap', '127.0.0.1:9'];
    const env = { QUARRY_SHOW_WELCOME: 'false', QUARRY_MODELS_FROM_PEERS: 'false' };
    node = new QuarryProcess([...args, '--data', join(folder.path, 'data')], env);
    const [, link = ''] = await node.printed(/"screens": "([^"]+)"/);
    const cookie = await cookieOfLink(link);
    ({ url } = cookie);
    browser = await launchChromium(chromium as string);
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.context().addCookies([cookie]);
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await folder?.remove();
  });

  it.each([
    ['', 'No video yet'],
    ['/find', 'Choose videos yourself'],
    ['/library', 'No clip yet'],
    ['/submissions', 'No submission yet'],
    ['/set', 'No file yet'],
  ])('says at «%s» what will be there', async (place, words) => {
    await page.goto(`${url}/#/data${place}`);
    await page.getByText(words, { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('keeps what was taken down over a restart of the page, and takes it back', async () => {
    await page.goto(`${url}/#/data/set`);
    await page.getByRole('button', { name: 'Take a video down' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: /^The video/ }).fill('File:Ball.webm');
    await dialog.getByRole('textbox', { name: 'Why' }).fill('Its author wants it out.');
    await dialog.getByRole('button', { name: 'Take it down' }).click();
    await page.getByRole('button', { name: 'Undo: File:Ball.webm' }).waitFor();
    await page.reload();
    await page.getByText(/Its author wants it out\./).waitFor();
    await page.getByRole('button', { name: 'Undo: File:Ball.webm' }).click();
    await page.getByText('Nothing is taken down').waitFor();
    expect(complaints).toEqual([]);
  });
});

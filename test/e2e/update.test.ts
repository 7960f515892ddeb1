/** @module-tag long */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import { PAGES } from '../../src-preload/contract/domains.ts';
import { en } from '../../src-renderer/i18n/en.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { updatedQuarry } from '../support/updated-quarry.ts';

const chromium = findChromium();
let browser: Browser;
let node: QuarryProcess;
/** Its screens, without the link that lets a browser in. */
let address = '';
let port: number;
let newer: Awaited<ReturnType<typeof updatedQuarry>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

/** Starts one of both versions on the same port and data. */
async function start(cli?: string): Promise<string> {
  const flags = ['--role', 'client', '--port', `${port}`, '--data', folder.path, '--bootstrap', '127.0.0.1:9'];
  node = new QuarryProcess(
    ['start', '--headless', ...flags],
    { QUARRY_SHOW_WELCOME: 'false', QUARRY_LANGUAGE: 'en' },
    cli,
  );
  const [, link = ''] = await node.printed(/screens\s+(\S+)/);
  return link;
}

/** In place of the node that runs, one of another version comes. */
async function replace(cli?: string): Promise<void> {
  await node.stop();
  await start(cli);
}

/** How often a page is loaded from now on. */
function loadsOf(page: Page): { count: number } {
  const loads = { count: 0 };
  page.on('load', () => loads.count++);
  return loads;
}

describe.skipIf(!chromium)('a page that is open when its node is updated', () => {
  let page: Page;

  beforeAll(async () => {
    if (!chromium) return;
    browser = await launchChromium(chromium);
    folder = await temporaryFolder();
    newer = await updatedQuarry();
    port = await freePort();
    const link = await start();
    address = `${new URL(link).origin}/`;
    page = await browser.newPage();
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await newer?.[Symbol.asyncDispose]();
    await folder?.remove();
  });

  it('loads the new screens by itself, once, keeps the question that was typed, and opens every page', async () => {
    await page.goto(`${address}#/playground`);
    const question = page.getByRole('textbox', { name: 'Ask something' });
    await question.fill('What is a mesh?');
    const loads = loadsOf(page);
    await replace(newer.cli);
    await page.locator('html[data-updated]').waitFor({ state: 'attached' });
    await expect.poll(() => question.inputValue()).toBe('What is a mesh?');
    for (const { name, path } of PAGES) {
      const { title } = en[name] as { title: string };
      await page.goto(`${address}#${path}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
    expect(await page.getByText('No connection to Quarry.').count()).toBe(0);
    expect(loads.count).toBe(1);
  });

  it('waits for what somebody has typed in a field and not saved, and says so', async () => {
    await page.goto(`${address}#/settings/general`);
    const field = page.getByRole('textbox', { name: 'Name of this computer' });
    await field.fill('cellar');
    await replace();
    await page.getByText('Quarry was updated.').waitFor();
    await page.locator('main fieldset:enabled').first().waitFor();
    expect(await field.inputValue()).toBe('cellar');
    await page.locator('html[data-updated]').waitFor({ state: 'attached' }); // as it was
    await field.press('Enter');
    await field.blur();
    await page.locator('html:not([data-updated])').waitFor({ state: 'attached' });
    await expect.poll(() => field.inputValue()).toBe('cellar');
  });

  it('is not loaded again and again where it comes as it was', { tags: ['long', 'seldom'] }, async () => {
    const other = '<!doctype html><script type="module" src="./assets/other.js"></script>';
    await page.route(address, async (route, request) => {
      if (request.isNavigationRequest()) return route.continue();
      const response = await route.fetch().catch(ignoring('the node is away, as it is for the page'));
      await (response ? route.fulfill({ response, body: other }) : route.abort());
    });
    await page.goto(`${address}#/network`);
    const loads = loadsOf(page);
    await replace();
    await expect.poll(() => loads.count).toBe(1);
    await page.waitForLoadState('networkidle'); // a page that is not here as a whole is loaded again in any case
    await replace();
    await page.getByText('Quarry was updated.').waitFor();
    await page.getByText('No connection to Quarry.').waitFor({ state: 'detached' });
    expect(loads.count).toBe(1);
    await page.unroute(address);
  });

  it('comes by itself when a part of it could not be fetched', async () => {
    await page.goto(`${address}#/network`);
    let refused = 0;
    const parts = /\/assets\/first-[^/]*\.js$/;
    await page.route(parts, (route) => (refused++ === 0 ? route.fulfill({ status: 503 }) : route.continue()));
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Network' }).waitFor();
    expect(refused).toBeGreaterThan(1);
  });
});

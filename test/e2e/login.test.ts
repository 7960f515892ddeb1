import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const TOKEN = 'a token that nobody guesses';

const chromium = findChromium();
let browser: Browser;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: QuarryProcess;
let address = '';

beforeAll(async () => {
  if (chromium) browser = await launchChromium(chromium);
});

afterAll(() => browser?.close());

beforeEach(async () => {
  folder = await temporaryFolder();
  const flags = ['--role', 'client', '--port', '0', '--data', folder.path, '--bootstrap', '127.0.0.1:9'];
  const settings = { QUARRY_API_TOKEN: TOKEN, QUARRY_SHOW_WELCOME: 'false', QUARRY_LANGUAGE: 'en' };
  node = new QuarryProcess(['start', '--headless', ...flags], settings);
  [, address = ''] = await node.printed(/screens\s+(\S+)/);
});

afterEach(async () => {
  await node?.stop();
  await folder?.remove();
});

describe.skipIf(!chromium)('a node with a token', () => {
  it('shows its screens to whoever logs in, and no longer when they log out', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    const token = page.getByRole('textbox', { name: 'API token' });
    await token.fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('UNAUTHORIZED');
    await token.fill(TOKEN);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain(TOKEN);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.goto(`${address}#/settings`);
    await page.getByRole('tab', { name: 'Security' }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await token.waitFor();
    await page.close();
  });

  it('asks for the token again when the node was started anew', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByRole('textbox', { name: 'API token' }).fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    const port = new URL(address).port;
    await node.stop();
    await page.getByText('The connection to Quarry is lost').waitFor();
    const flags = ['--role', 'client', '--port', port, '--data', folder.path, '--bootstrap', '127.0.0.1:9'];
    node = new QuarryProcess(['start', '--headless', ...flags], { QUARRY_API_TOKEN: TOKEN });
    await page.getByRole('textbox', { name: 'API token' }).waitFor();
    await page.close();
  });
});

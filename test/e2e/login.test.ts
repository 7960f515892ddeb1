import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shortId } from '../../src-preload/contract/limits.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';

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

async function start(port: string, settings: Record<string, string>): Promise<void> {
  const flags = ['--role', 'client', '--port', port, '--data', folder.path, '--bootstrap', '127.0.0.1:9'];
  const shown = { QUARRY_SHOW_WELCOME: 'false', QUARRY_LANGUAGE: 'en' };
  node = new QuarryProcess(['start', '--headless', ...flags], { ...shown, ...settings });
  [, address = ''] = await node.printed(/screens\s+(\S+)/);
}

async function end(): Promise<void> {
  await node?.stop();
  await folder?.remove();
}

afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

describe.skipIf(!chromium)('a node with a token', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await start(`${await freePort()}`, { QUARRY_API_TOKEN: TOKEN });
  });
  afterAll(end);

  it('shows its screens to whoever logs in, and no longer when they log out', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    const token = page.getByRole('textbox', { name: 'API token' });
    await token.fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('This is not the token of this node.');
    await token.fill(TOKEN);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain(TOKEN);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.goto(`${address}#/settings`);
    await page.getByRole('link', { name: 'Security', exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await token.waitFor();
  });

  it('goes on with an open page when it was started anew, and asks for the token when that is another', {
    tags: ['long'],
  }, async () => {
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByRole('textbox', { name: 'API token' }).fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    const { port } = new URL(address);
    await node.stop('SIGKILL');
    await page.getByText('No connection to Quarry.').waitFor();
    await start(port, { QUARRY_API_TOKEN: TOKEN });
    await page.getByText('No connection to Quarry.').waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'API token' }).count()).toBe(0);
    await node.stop();
    await start(port, { QUARRY_API_TOKEN: `another, not ${TOKEN}` });
    await page.getByRole('textbox', { name: 'API token' }).waitFor();
  });

  it('lets a browser in by the link of a command, without the token', async () => {
    const { stdout } = await quarry(['open', '--data', folder.path]);
    const page = await browser.newPage();
    await page.goto(stdout.trim());
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });
});

describe.skipIf(!chromium)('a node without a token', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await start('0', {});
  });
  afterAll(end);

  /** A link that nobody has used yet. */
  async function anotherLink(): Promise<string> {
    const { stdout } = await quarry(['open', '--data', folder.path]);
    return stdout.trim();
  }

  it('opens to whoever has the link that it prints, once, and leaves nothing of it in the browser', async () => {
    const page = await browser.newPage();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(`${request.url()} from ${request.headers().referer}`));
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect(page.url()).toBe(`${new URL(address).origin}/`);
    expect(await page.evaluate('document.referrer + document.cookie + JSON.stringify(localStorage)')).not.toContain(
      'code=',
    );
    expect(addresses.filter((one) => one.includes('code='))).toEqual([`${address} from undefined`]);
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(address);
    await stranger.getByRole('alert').filter({ hasText: 'This link opens nothing any more' }).waitFor();
    expect(stranger.url()).toBe(`${new URL(address).origin}/`);
    await page.goto(address); // whoever is in stays in
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });

  it('tells others how to get in, in their language, and lets them in where they stand', async () => {
    const context = await browser.newContext({ locale: 'de-DE' });
    const page = await context.newPage();
    await page.goto(new URL(address).origin);
    await page.getByRole('heading', { level: 1, name: 'An diesem Knoten anmelden' }).waitFor();
    await page.getByText('quarry open', { exact: true }).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    const other = await context.newPage();
    await other.goto(await anotherLink());
    await other.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.evaluate('dispatchEvent(new Event("focus"))'); // as when its tab is chosen again
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });

  it('saves a backup as a file, and tells which node is in it before another one gives way', async () => {
    const page = await browser.newPage();
    await page.goto(`${await anotherLink()}#/settings/security`);
    await page.getByText('Never backed up', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Back up this node' }).click();
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('four words about granite');
    await page.getByRole('textbox', { name: 'The same password again' }).fill('four words about granite');
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the backup' }).click();
    const file = join(folder.path, 'saved.quarry-backup');
    await (await downloads).saveAs(file);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText(/^Last backup /).waitFor();
    await page.getByRole('button', { name: 'Restore from a backup' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles(file);
    const { stdout } = await quarry(['backup', 'show', file, '--json']);
    await page.getByText(`Node ${shortId(JSON.parse(stdout).node)}, backed up`).waitFor();
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('four words about marble');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('four words about granite');
    await page.keyboard.press('Enter');
    await page.getByText('In the backup: 0 receipts, 0 points.').waitFor();
    await page.getByRole('button', { name: 'Become this node' }).waitFor();
  });

  it('gives links away on its screens, and closes to this browser when it logs out', async () => {
    const page = await browser.newPage();
    await page.goto(`${await anotherLink()}#/settings/security`);
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = (await page.getByText('/enter?code=').textContent()) ?? '';
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('quarry open', { exact: true }).waitFor();
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });
});

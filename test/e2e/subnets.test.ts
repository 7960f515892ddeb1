import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { chainSubnets, OWN_SUBNET, sampleMetagraph } from '../support/screens/sample-chain.ts';
import { SCRIPTED_PASSWORD } from '../support/screens/script/wallet.ts';
import type { ScriptedNode } from '../support/screens/scripted-node.ts';
import { openScriptedPage } from '../support/screens/scripted-page.ts';

const chromium = findChromium();
/** What an owner may call a subnet. */
const HOSTILE = '<img src=x onerror="document.title=\'owned\'"> [link](javascript:1) AAAAAAAAAAAAAAAAAA';

describe.skipIf(!chromium)('the subnets', () => {
  let browser: Browser;
  let node: ScriptedNode;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    if (chromium) browser = await launchChromium(chromium);
  });

  afterAll(() => browser?.close());

  beforeEach(async () => {
    ({ node, page, complaints } = await openScriptedPage(browser));
  });

  afterEach(async () => {
    await page.close();
    await node.close();
    expect(complaints).toEqual([]);
  });

  const open = (path: string) => page.goto(`${node.url}#/${path}`);
  const table = (name: string) => page.getByRole('table', { name, exact: true });
  const names = async (of: string) => (await table(of).getByRole('button').allTextContents()).slice(0, 20);

  it('have one’s own first, are found, and one opens with its neurons', async () => {
    await open('subnets');
    await table('Subnets').waitFor();
    expect(await table('Subnets').getByRole('row').nth(2).textContent()).toContain('Subnet 24 · 2 neurons of yours');
    await page.getByText('128 of 128 subnets').waitFor();
    await page.getByRole('textbox', { name: 'Number or name' }).fill('#12');
    await page.getByText('9 of 128 subnets').waitFor();
    await page.getByRole('textbox', { name: 'Number or name' }).fill('24');
    await page.getByRole('link', { name: 'Open subnet' }).click();
    await page.getByRole('heading', { name: 'Omega' }).waitFor();
    await page.getByText('256 of 256 neurons').waitFor();
    expect(page.url()).toMatch(/#\/subnets\/24$/);
  });

  it('show a stranger’s name as nothing but a text, as much as there is room for', async () => {
    node.data.chainSubnets = chainSubnets.map((one) => (one.netuid === 1 ? { ...one, name: HOSTILE } : one));
    await open('subnets');
    await page.getByRole('button', { name: HOSTILE, exact: true }).click();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    await open('subnets/1');
    const heading = page.getByRole('heading', { name: HOSTILE });
    await heading.waitFor();
    expect(((await heading.boundingBox())?.width ?? 0) < 400).toBe(true);
    expect(await page.locator('main img, main a[href^=javascript]').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
  });

  it('of 4,096 neurons only some are in the page, whichever way they are sorted and searched', async () => {
    const subnet = chainSubnets[OWN_SUBNET];
    if (!subnet) throw new Error('There is no own subnet.');
    node.data.metagraphOf = () => sampleMetagraph(subnet, 4_096);
    await open('subnets/24');
    await page.getByText('4,096 of 4,096 neurons').waitFor();
    const rows = () => table('Neurons').locator('tbody tr').count();
    expect(await rows()).toBe(50);
    await table('Neurons').getByRole('button', { name: 'Stake' }).click();
    await expect.poll(() => table('Neurons').locator('tbody tr').first().textContent()).toContain('UID 4083');
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => table('Neurons').locator('tbody tr').first().textContent()).not.toContain('UID 4083');
    await page.getByText('Validators', { exact: true }).click();
    await page.getByText('256 of 4,096 neurons').waitFor();
    await page.getByText('Mine', { exact: true }).click();
    await page.getByText('2 of 4,096 neurons').waitFor();
    expect(await names('Neurons')).toEqual(expect.arrayContaining(['main · default', 'main · validator']));
    await page.getByRole('textbox', { name: 'UID, key, address' }).fill('5DAAnrj7');
    await page.getByText('1 of 4,096 neurons').waitFor();
    expect(await rows()).toBe(1);
  });

  it('hands over what is chosen as CSV', async () => {
    await open('subnets/24');
    await page.getByText('Mine', { exact: true }).click();
    await page.getByText('2 of 256 neurons').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('subnet-24-block-5123456.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^uid,hotkey,/);
    expect(lines.slice(1).map((line) => line.split(',')[3])).toEqual(
      expect.arrayContaining(['main/default', 'main/validator']),
    );
  });

  it('tell of one’s own neurons how they rank, and whether others find the axon that runs here', async () => {
    const metagraph = node.data.metagraphOf(24);
    const rows =
      metagraph?.rows.map((one) => (one.uid === 17 ? { ...one, axon: { ip: '203.0.113.17', port: 8_091 } } : one)) ??
      [];
    node.data.metagraphOf = () => metagraph && { ...metagraph, rows };
    await open('subnets/24');
    const own = table('Your neurons').getByRole('row', { name: /main · default/ });
    await own.getByText('As announced', { exact: true }).waitFor();
    await own.getByText(/of 256$/).waitFor();
    await own.getByRole('button').click();
    await page.getByRole('region', { name: 'main · default' }).getByText('Rank by incentive').waitFor();
    node.data.axon = { ...node.data.axon, running: false };
    await own.getByText('Does not run here', { exact: true }).waitFor();
    node.data.axon = { ...node.data.axon, running: true, external: { ip: '198.51.100.1', port: 1, from: 'peers' } };
    await own.getByText('Announced elsewhere', { exact: true }).waitFor();
  });

  it('have their rules in words, with the chain’s names, and one that nobody knows as it is', async () => {
    const metagraph = node.data.metagraphOf(24);
    const rules = [...(metagraph?.rules ?? []), { name: 'somethingNew', value: '7 of 9' }];
    node.data.metagraphOf = () => metagraph && { ...metagraph, rules };
    await open('subnets/24/rules');
    const rule = (name: string) => table('Rules').getByRole('row', { name });
    await rule('Length of an epoch').getByText('360 blocks').waitFor();
    await rule('Length of an epoch').getByText('Tempo').waitFor();
    await rule('Registration now').getByText('0.1234 TAO').waitFor();
    await rule('somethingNew').getByText('7 of 9').waitFor();
  });

  it('take a registration with a limit that is not below the price', async () => {
    await open('subnets/24');
    await page.getByRole('button', { name: 'Register …' }).click();
    const dialog = page.getByRole('dialog');
    const limit = dialog.getByRole('textbox', { name: 'Pay at most' });
    await expect.poll(() => limit.inputValue()).toBe('0.303505');
    await limit.fill('0.3');
    await dialog.getByText('It costs more already').waitFor();
    expect(await dialog.getByRole('button', { name: 'Check and send' }).isDisabled()).toBe(true);
    await limit.fill('0.4');
    await dialog.getByRole('button', { name: 'Check and send' }).click();
    await expect
      .poll(() => node.data.drafted.at(-1))
      .toMatchObject({ action: 'register', wallet: 'main', hotkey: 'default', netuid: 24, limitPrice: '400000000' });
    const send = dialog.getByRole('button', { name: 'Register for 0.4 TAO at most' });
    await dialog.getByRole('textbox', { name: 'Wallet password' }).fill(SCRIPTED_PASSWORD);
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: /to confirm/ }).fill('24');
    await send.click();
    await dialog.getByText('Final in block').waitFor();
    await dialog.getByRole('button', { name: 'Announce the axon …' }).click();
    await dialog.getByText('The router says so').waitFor();
  });

  it('lead to the keys where there is no hotkey', async () => {
    node.data.wallets = { ...node.data.wallets, wallets: [] };
    await open('subnets/24');
    await page.getByRole('button', { name: 'Register …' }).click();
    const link = page.getByRole('dialog').getByRole('link', { name: 'Wallet › Keys' });
    expect(await link.getAttribute('href')).toBe('#/wallet/keys');
  });

  it('are told where the axon is: as it knows it, with a word where that is not proven', async () => {
    await open('subnets/24');
    await page.getByRole('button', { name: 'Announce the axon …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The router says so').waitFor();
    await dialog.getByText('It is not proven that others reach this address').waitFor();
    await dialog.getByRole('textbox', { name: 'Address' }).fill('198.51.100.7');
    await dialog.getByText('You have typed another address than the axon knows.').waitFor();
    await dialog.getByRole('button', { name: 'Check and send' }).click();
    await expect
      .poll(() => node.data.drafted.at(-1))
      .toMatchObject({ action: 'serve', hotkey: 'default', netuid: 24, ip: '198.51.100.7', port: 8_091 });
  });

  it('stay with their time when the chain is lost, and nothing can be sent then', async () => {
    await open('subnets/24');
    await page.getByText('256 of 256 neurons').waitFor();
    node.data.chainState = { ...node.data.chainState, status: 'lost', reason: 'The chain went away.' };
    const note = page.getByRole('status').filter({ hasText: 'The chain went away.' });
    await note.getByText(/What you see is from \d\d:\d\d:\d\d/).waitFor();
    expect(await page.getByRole('button', { name: 'Register …' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Announce the axon …' }).isDisabled()).toBe(true);
    await page.getByText('256 of 256 neurons').waitFor();
    node.data.chainState = { ...node.data.chainState, status: 'connected', reason: undefined };
    await note.waitFor({ state: 'detached' });
  });

  it('say so where there is no such subnet', async () => {
    await open('subnets/999');
    await page.getByText('There is no subnet 999').waitFor();
  });

  it('have an axon that is started and stopped, says why it does not run, and where others find it', async () => {
    await open('subnets/axon');
    await page.getByText('nobody outside has tried yet').waitFor();
    await table('Turned away').getByRole('row', { name: /^403/ }).getByText('36').waitFor();
    await page.getByRole('button', { name: 'Stop the axon' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    const message = 'Port 8091 is taken.';
    node.data.failures['axon.start'] = { code: 'PORT_IN_USE', message, retryable: false };
    await page.getByRole('button', { name: 'Start the axon' }).click();
    await page.getByRole('alert').getByText(message).waitFor();
    delete node.data.failures['axon.start'];
    await page.getByRole('button', { name: 'Start the axon' }).click();
    await page.getByRole('button', { name: 'Stop the axon' }).waitFor();
  });

  it('have an axon that is not started before a hotkey and its subnet are chosen', async () => {
    const { settings } = node.data.settings;
    const without = settings.map((one) => (one.path === 'axon.netuid' ? { ...one, value: undefined } : one));
    node.data.settings = { ...node.data.settings, settings: without };
    node.data.axon = { ...node.data.axon, running: false };
    await open('subnets/axon');
    await page.getByText('choose the hotkey and its subnet first').waitFor();
    const start = page.getByRole('button', { name: 'Start the axon' });
    expect(await start.isDisabled()).toBe(true);
    const subnet = page.getByRole('textbox', { name: 'Subnet' });
    await subnet.fill('24');
    await subnet.blur();
    await expect.poll(() => start.isEnabled()).toBe(true);
    await start.click();
    await page.getByRole('button', { name: 'Stop the axon' }).waitFor();
  });

  it('have an axon that says when the chain does not tell who is registered, or is behind', async () => {
    await open('subnets/axon');
    await page.getByText('nobody outside has tried yet').waitFor();
    const note = page.getByRole('status').filter({ hasText: 'The chain does not tell who is registered' });
    expect(await note.count()).toBe(0);
    node.data.axon = { ...node.data.axon, neurons: { readAt: null, stale: true } };
    await note.getByText('nobody is answered').waitFor();
    node.data.axon = { ...node.data.axon, neurons: { readAt: Date.now(), stale: true } };
    await note.getByText(/What was known at \d\d:\d\d:\d\d counts/).waitFor();
    node.data.chainState = { ...node.data.chainState, status: 'behind' };
    await page.getByRole('status').filter({ hasText: 'Try now' }).waitFor();
  });

  it('are found by everyday words', async () => {
    await open('');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Pages, models, settings, actions').fill('netuid');
    await page.getByRole('dialog').getByRole('button', { name: 'Find a subnet' }).click();
    await page.getByText('128 of 128 subnets').waitFor();
  });
});

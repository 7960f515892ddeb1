/** @module-tag long */
import { existsSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SHEET_KEY } from '../support/bittensor-key.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { writeKey } from '../support/local-wallets.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { PAYEE } from '../support/screens/sample-accounts.ts';
import { SCRIPTED_PASSWORD } from '../support/screens/script/wallet.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const PASSWORD = 'correct horse battery';
const chromium = findChromium();
let browser: Browser;

beforeAll(async () => {
  if (chromium) browser = await launchChromium(chromium);
});

afterAll(() => browser?.close());

afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

describe.skipIf(!chromium)('keys, on a real node', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let node: QuarryProcess;
  let address = '';
  const wallets = () => join(folder.path, 'wallets');

  /** A node with an empty folder of wallets. */
  async function start(settings: Record<string, string> = {}): Promise<void> {
    const flags = [
      '--role',
      'client',
      '--port',
      '0',
      '--data',
      join(folder.path, 'data'),
      '--bootstrap',
      '127.0.0.1:9',
    ];
    node = new QuarryProcess(['start', '--headless', ...flags], {
      QUARRY_SHOW_WELCOME: 'false',
      QUARRY_LANGUAGE: 'en',
      BT_WALLET_PATH: wallets(),
      // Nobody answers there: what the page knows of wallets does not hang on the chain.
      QUARRY_BITTENSOR_ENDPOINT: 'ws://127.0.0.1:9',
      ...settings,
    });
    [, address = ''] = await node.printed(/screens\s+(\S+)/);
  }

  /** What the command sees in the same folder. */
  async function listed() {
    const { stdout } = await quarry(['wallet', '--json', '--data', join(folder.path, 'command')], {
      BT_WALLET_PATH: wallets(),
    });
    return JSON.parse(stdout).wallets;
  }

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(async () => {
    await node?.stop();
    await folder?.remove();
  });

  it('are made with words that are asked for again, and nothing of them stays in the browser', async () => {
    await start();
    const page = await browser.newPage();
    await page.goto(address);
    await page.goto(`${new URL(address).origin}/#/wallet`);
    await page.getByText(wallets()).waitFor();

    // Somebody who leaves before the end leaves nothing behind.
    await button(page, 'Make a wallet').click();
    await button(page, 'Show the words').click();
    await page.getByRole('listitem').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Nothing was written yet.').waitFor();
    // The key that asks must not answer, too: the question comes to stay.
    const isShown = `[...document.querySelectorAll('[role=dialog]')].some((dialog) =>
      dialog.textContent.includes('Nothing was written yet.') && getComputedStyle(dialog).opacity === '1')`;
    await expect.poll(() => page.evaluate(isShown)).toBe(true);
    await button(page, 'Leave').click();
    expect(existsSync(wallets())).toBe(false);

    await button(page, 'Make a wallet').click();
    await button(page, 'Show the words').click();
    const words = await wordsOf(page);
    expect(words).toHaveLength(12);
    await button(page, 'I have written them down').click();
    const asked = await page.getByLabel(/^Word \d+$/).all();
    expect(asked).toHaveLength(3);
    for (const field of asked) await field.fill('abandon');
    await button(page, 'Continue').click();
    await page
      .getByText(/^This is not word \d+\.$/)
      .first()
      .waitFor();
    for (const field of asked) await field.fill(words[await positionOf(page, field)] ?? '');
    await button(page, 'Continue').click();
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('The new password again').fill(PASSWORD);
    await button(page, 'Make the wallet').click();
    await page.getByText('main is ready.').waitFor();
    const [main] = await listed();
    expect(main).toMatchObject({ name: 'main', coldkey: { sealing: 'nacl' }, hotkeys: [] });
    expect(await readFile(join(wallets(), 'main', 'coldkey'), 'latin1')).toMatch(/^\$NACL/);
    await button(page, 'Close').last().click();

    // Nothing of it is left in the page, nor in what the browser keeps.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const kept = await page.evaluate(
      'document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage])',
    );
    for (const secret of [words.join(' '), PASSWORD]) expect(kept).not.toContain(secret);
  });

  it('are brought, and sign with the right password alone', async () => {
    await start();
    const page = await browser.newPage();
    await page.goto(address);
    await page.goto(`${new URL(address).origin}/#/wallet/keys`);
    await button(page, 'Bring a wallet').click();
    const phrase = page.getByRole('textbox', { name: 'Words' });
    await phrase.fill('old leopard');
    await button(page, 'Continue').click();
    await page.getByText('These are not the words of a key').waitFor();
    await phrase.fill(SHEET_KEY.phrase);
    await button(page, 'Continue').click();
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('The new password again').fill(PASSWORD);
    await button(page, 'Make the wallet').click();
    await page.getByText('main is ready.').waitFor();
    await button(page, 'Close').last().click();

    await button(page, 'Bring a key').click();
    await page.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'A hotkey of main' }).click();
    await phrase.fill(SHEET_KEY.phrase);
    await button(page, 'Continue').click();
    await button(page, 'Make the hotkey').click();
    await page.getByText('default is ready.').waitFor();
    await button(page, 'Close').last().click();
    const { address: ss58 } = SHEET_KEY;
    expect(await listed()).toMatchObject([
      {
        name: 'main',
        coldkey: { address: ss58, sealing: 'nacl' },
        hotkeys: [{ name: 'default', address: ss58, sealing: 'plain' }],
      },
    ]);

    // The first of the list, the coldkey, has its details beside it.
    await button(page, 'Sign a text').click();
    await page.getByLabel('Text', { exact: true }).fill('It is me.');
    const password = page.getByLabel('Password of main');
    await password.fill('a wrong one');
    await button(page, 'Sign').click();
    await page.getByText('The password is wrong.').waitFor();
    await password.fill(PASSWORD);
    await button(page, 'Sign').click();
    const signature = await page.getByLabel('Signature').inputValue();
    await button(page, 'Close').last().click();
    await button(page, 'Verify a signature').click();
    await page.getByLabel('Address', { exact: true }).fill(ss58);
    await page.getByLabel('Signature', { exact: true }).fill(signature);
    await page.getByLabel('Text', { exact: true }).fill('It is me.');
    await button(page, 'Verify').click();
    await page.getByText('This text was signed by the key of this address.').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('It was me.');
    await button(page, 'Verify').click();
    await page.getByText('This text was not signed by the key of this address.').waitFor();
  });

  it('of a folder that others may write are shown as not used, with what mends it', async () => {
    await writeKey(wallets(), { wallet: 'main', password: PASSWORD });
    await chmod(join(wallets(), 'main'), 0o775);
    await start();
    const page = await browser.newPage();
    await page.goto(address);
    await page.goto(`${new URL(address).origin}/#/wallet/keys`);
    await page.getByText(`chmod -R go-w ${wallets()}`).waitFor();
    await page.getByText('Not used', { exact: true }).first().waitFor();
    expect(await page.getByText('No password', { exact: true }).count()).toBe(0);
    expect(await button(page, 'Sign a text').isDisabled()).toBe(true);
  });

  it('without their public file say so, and get it again with the password', async () => {
    const coldkey = await writeKey(wallets(), { wallet: 'main', password: PASSWORD });
    await rm(join(wallets(), 'main', 'coldkeypub.txt'));
    await start();
    const page = await browser.newPage();
    await page.goto(address);
    await page.goto(`${new URL(address).origin}/#/wallet/keys`);
    await page.getByText('No public file', { exact: true }).first().waitFor();
    await button(page, 'Write the public file').click();
    const dialog = page.getByRole('dialog', { name: 'Public file of main' });
    await dialog.getByLabel('Password of main').fill('a wrong one');
    await button(page, 'Write the public file').last().click();
    await page.getByText('The password is wrong.').waitFor();
    await dialog.getByLabel('Password of main').fill(PASSWORD);
    await button(page, 'Write the public file').last().click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('No public file', { exact: true }).first().waitFor({ state: 'detached' });
    expect(await listed()).toMatchObject([{ name: 'main', coldkey: { address: coldkey, sealing: 'nacl' } }]);
  });

  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

  it.skipIf(!outside)('are neither made nor asked for where others on the network could read along', async () => {
    const token = 'a token that nobody guesses';
    await start({ QUARRY_HOST: '0.0.0.0', QUARRY_API_TOKEN: token });
    const page = await browser.newPage();
    await page.goto(`http://${outside}:${new URL(address).port}/#/wallet`);
    await page.getByRole('textbox', { name: 'API token' }).fill(token);
    await button(page, 'Log in').click();
    await page.getByText('Others on the network could read along here').waitFor();
    expect(await button(page, 'Make a wallet').isDisabled()).toBe(true);
    expect(await button(page, 'Bring a wallet').isDisabled()).toBe(true);
    expect(await page.locator('input[type=password]').count()).toBe(0);
  });
});

async function wordsOf(page: Page): Promise<string[]> {
  const items = page.getByRole('list', { name: 'The words, in their order' }).getByRole('listitem');
  await items.first().waitFor();
  return Promise.all((await items.all()).map(async (item) => (await item.textContent())?.replace(/^\d+/, '') ?? ''));
}

/** «Word 7» is the seventh: the place of a field's word among all. */
async function positionOf(page: Page, field: ReturnType<Page['getByLabel']>): Promise<number> {
  const id = await field.getAttribute('id');
  const label = await page.locator(`label[for="${id}"]`).textContent();
  return Number(/\d+/.exec(label ?? '')?.[0]) - 1;
}

describe.skipIf(!chromium)('money', () => {
  let node: ScriptedNode;
  let page: Page;

  async function open(data: Parameters<typeof startScriptedNode>[0] = {}): Promise<void> {
    node = await startScriptedNode(data);
    page = await browser.newPage({ reducedMotion: 'reduce' });
    await page.goto(`${node.url}#/wallet`);
    await page.getByRole('table', { name: 'Activity' }).waitFor();
  }

  async function fill(to: string, amount: string): Promise<void> {
    await button(page, 'Send').click();
    await page.getByRole('combobox', { name: 'To', exact: true }).fill(to);
    await page.getByLabel('Amount').fill(amount);
  }

  afterEach(() => node?.close());

  it('is sent when a person has seen to whom, how much and what is left, and has typed the address’s end and the password', async () => {
    await open();
    await page.getByRole('banner').getByText('Test network').waitFor();
    await fill('5Grw', '1,25');
    await page.getByText('This is not an address').waitFor();
    await page.getByText('An amount looks like').waitFor();
    expect(await button(page, 'Continue').isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'To', exact: true }).fill(PAYEE);
    await page.getByLabel('Amount').fill('1.25');
    await button(page, 'Continue').click();

    const dialog = page.getByRole('dialog', { name: 'Check before you send' });
    for (const shown of ['1.25 TAO', 'Test network', '5FLS', 'S59Y', '0.000124 TAO', '6.9018 TAO to spend']) {
      await expect.poll(() => dialog.textContent()).toContain(shown);
    }
    const send = button(page, 'Send 1.25 TAO');
    await page.getByLabel('Wallet password').fill('a wrong one');
    expect(await send.isDisabled()).toBe(true); // the end of the address is not typed yet
    await page.getByLabel('Last four characters').fill(PAYEE.slice(-4));
    await page.keyboard.press('Enter'); // nothing is sent by it
    await send.click();
    await page.getByText('The password is wrong.').waitFor();
    expect(node.data.calls.some(({ moves }) => moves === '1250000000')).toBe(false);
    await page.getByLabel('Wallet password').fill(SCRIPTED_PASSWORD);
    await send.click();
    await page.getByText('Final in block 5,120,018.').waitFor();
    await button(page, 'Close').last().click();
    await page.getByRole('row', { name: /Payment to 5FLS…S59Y.*−1\.2500.*Final/ }).waitFor();
  });

  it('goes on its way when the dialog is closed, and the list says what became of it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await open({ untilFinal: () => promise });
    await fill(PAYEE, '0.5');
    await button(page, 'Continue').click();
    await page.getByLabel('Last four characters').fill(PAYEE.slice(-4));
    await page.getByLabel('Wallet password').fill(SCRIPTED_PASSWORD);
    await button(page, 'Send 0.5 TAO').click();
    await page.getByText('On its way.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Payment to 5FLS…S59Y.*−0\.5000.*Pending/ }).waitFor();
    resolve();
    await page.getByRole('row', { name: /Payment to 5FLS…S59Y.*−0\.5000.*Final/ }).waitFor();
  });

  async function send(amount: string): Promise<void> {
    await fill(PAYEE, amount);
    await button(page, 'Continue').click();
    await page.getByLabel('Last four characters').fill(PAYEE.slice(-4));
    await page.getByLabel('Wallet password').fill(SCRIPTED_PASSWORD);
    await button(page, `Send ${amount} TAO`).click();
  }

  it('shows what the endpoint says against it, and that it may come all the same, until it no longer can', async () => {
    const refusal = { code: 'CHAIN_REFUSED' as const, message: 'There is not enough TAO on this coldkey.' };
    const { promise, resolve } = Promise.withResolvers<void>();
    await open({ untilFinal: () => promise, refusal });
    await send('0.5');
    const dialog = page.getByRole('dialog', { name: 'Not accepted' });
    await dialog.getByText('There is not enough TAO on this coldkey.').waitFor();
    await dialog.getByText(/can still hand it in for a quarter of an hour/).waitFor();
    resolve();
    await dialog.getByText('No block took this, and none will.').waitFor();
    await dialog.getByText('There is not enough TAO on this coldkey.').waitFor();
  });

  it('is sent once, also when the connection is lost before the answer and it is asked again', async () => {
    await open();
    const before = node.data.calls.length;
    node.data.onSend = () => {
      node.data.onSend = () => {};
      node.cut();
    };
    await send('0.5');
    const dialog = page.getByRole('dialog', { name: 'Check before you send' });
    await dialog.getByText(/Asking again does not send it a second time/).waitFor();
    expect(await button(page, 'Back').isDisabled()).toBe(true);
    await page.getByText('No connection to Quarry.').waitFor({ state: 'hidden' });
    await button(page, 'Ask what became of it').click();
    await page.getByText('Final in block 5,120,018.').waitFor();
    expect(node.data.calls).toHaveLength(before + 1);
  });

  it('can be sent all at once: what is left then is nothing, and the fee is paid', async () => {
    await open();
    await fill(PAYEE, '');
    await button(page, 'All').click();
    await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('8.1518755');
  });

  it('is not sent where others could read the password, nor from an address that is only watched', async () => {
    await open();
    node.data.wallets = { ...node.data.wallets, confidential: false };
    await page.reload();
    await fill(PAYEE, '1');
    await button(page, 'Continue').click();
    await page.getByText('Others on the network could read along here').waitFor();
    expect(await page.getByLabel('Wallet password').count()).toBe(0);
    expect(await button(page, 'Send 1 TAO').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Wallet' }).click();
    await page.getByRole('option', { name: 'savings' }).click();
    await page.getByText('Only watched').waitFor();
    expect(await button(page, 'Send').isDisabled()).toBe(true);
  });

  it('is taken back from a stake at a price that is shown with what is lost on the way', async () => {
    await open();
    await button(page, 'Unstake from main / default').click();
    await page.getByLabel('Amount').fill('20.5');
    await button(page, 'Continue').click();
    const dialog = page.getByRole('dialog', { name: 'Check before you send' });
    for (const shown of ['20.5 α', 'Subnet24', '1.2% lost on the way', 'At least0.020427 TAO']) {
      await expect.poll(() => dialog.textContent()).toContain(shown);
    }
    await page.getByLabel('Wallet password').fill(SCRIPTED_PASSWORD);
    await button(page, 'Unstake 20.5 α').click();
    await page.getByText('Final in block').waitFor();
  });

  it('shows what is staked on each hotkey, and not where its coldkey is elsewhere', async () => {
    await open();
    const [main] = node.data.wallets.wallets;
    const worker = {
      name: 'worker',
      coldkey: null,
      hotkeys: [{ name: 'far', address: PAYEE, sealing: 'plain' as const }],
    };
    node.data.wallets = { ...node.data.wallets, wallets: [main!, worker] };
    await page.reload();
    await page.goto(`${node.url}#/wallet/addresses`);
    await page.getByRole('row', { name: /^default Hotkey .* 1\.2563$/ }).waitFor();
    await page.getByRole('row', { name: 'worker · No coldkey here' }).waitFor();
    await page.getByRole('row', { name: /^far Hotkey .* –$/ }).waitFor();
    await page.getByText('What a miner earns is alpha, staked on its hotkey.').waitFor();
  });

  it.each([770, 900, 1_100])('has all its tabs and figures side by side in a window of %i px', async (width) => {
    await open();
    await page.setViewportSize({ width, height: 800 });
    const hidden = (nodes: string) => page.evaluate(`Array.from(${nodes}, (one) => one.scrollWidth - one.clientWidth)`);
    expect(await hidden('document.querySelectorAll("nav[aria-label=Wallet]")')).toEqual([0]);
    expect(await hidden('document.querySelector("dl").querySelectorAll("dd:first-of-type")')).toEqual([0, 0, 0]);
  });

  it('shows a page of hundreds of keys, and finds the one that is looked for', async () => {
    await open();
    const all = Array.from({ length: 40 }, (_, at) => ({
      name: `wallet-${at}`,
      coldkey: { address: `coldkey-${at}`, sealing: 'nacl' as const },
      hotkeys: Array.from({ length: 10 }, (_, hot) => ({
        name: `hot-${at}-${hot}`,
        address: `hotkey-${at}-${hot}`,
        sealing: 'plain' as const,
      })),
    }));
    node.data.wallets = { ...node.data.wallets, wallets: all };
    await page.reload();
    for (const [tab, table] of [
      ['keys', 'Keys'],
      ['addresses', 'Addresses'],
    ]) {
      await page.goto(`${node.url}#/wallet/${tab}`);
      await page.getByRole('row', { name: /^hot-4-4 / }).waitFor();
      const rows = page.getByRole('table', { name: table }).locator('tbody tr:not(:first-child)');
      expect(await rows.count()).toBe(50);
      await page.getByRole('button', { name: 'Page 9', exact: true }).click();
      await page.getByRole('row', { name: /^hot-39-9 / }).waitFor();
      await page.getByRole('textbox', { name: 'Find a key' }).fill('HOT-20-7');
      await page.getByRole('row', { name: /^hot-20-7 / }).waitFor();
      expect(await rows.count()).toBe(1);
      await page.getByRole('textbox', { name: 'Find a key' }).fill('nobody');
      await page.getByText('No key has this in its name').waitFor();
      await button(page, 'Clear the search').click();
    }
  });

  it('says why the chain does not answer, and when it is tried again', async () => {
    await open({
      chainState: {
        network: 'finney',
        endpoint: 'wss://chain.example',
        status: 'lost',
        reason: 'The chain finney cannot be reached.',
        retryAt: Date.now() + 5_000,
      },
    });
    await page.getByText('The chain finney cannot be reached.').waitFor();
    await button(page, 'Try now').waitFor();
    expect(await button(page, 'Send').isDisabled()).toBe(true);
  });
});

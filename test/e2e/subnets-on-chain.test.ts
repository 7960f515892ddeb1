import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raoOf } from '../../src-preload/contract/rao.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { LocalSubtensor, NETUID, SPEC } from '../support/local-subtensor.ts';
import { writeKey } from '../support/local-wallets.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const chromium = findChromium();
const PASSWORD = 'a long enough password';

describe.skipIf(!SPEC || !chromium)('the subnets of a real subtensor', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let chain: LocalSubtensor;
  let node: QuarryProcess;
  let browser: Browser;
  let page: Page;
  let home: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const wallets = join(folder.path, 'wallets');
    const rich = await writeKey(wallets, { wallet: 'rich', password: PASSWORD });
    await writeKey(wallets, { wallet: 'rich', hotkey: 'hot' });
    chain = await LocalSubtensor.start();
    await chain.fund(rich, raoOf('100'));
    await chain.blocks(1);
    const args = [
      'start',
      '--headless',
      '--data',
      join(folder.path, 'data'),
      '--bootstrap',
      '127.0.0.1:9',
      '--port',
      '0',
    ];
    node = new QuarryProcess(args, {
      QUARRY_SHOW_WELCOME: 'false',
      QUARRY_BITTENSOR_NETWORK: 'local',
      BT_SUBTENSOR_CHAIN_ENDPOINT: chain.url,
      BT_WALLET_PATH: wallets,
      QUARRY_AXON_PORT: String(await freePort()),
      QUARRY_AXON_EXTERNAL_IP: '198.51.100.7',
    });
    browser = await launchChromium(chromium as string);
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
    const [, link = ''] = await node.printed(/screens\s+(\S+)/);
    await page.goto(link);
    home = new URL('/', link).href;
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await chain?.close();
    await folder?.remove();
  });

  const dialog = () => page.getByRole('dialog');
  const isFinal = () => chain.outcome(dialog().getByText('Final in block').waitFor());

  it('are listed, and one opens with its rules', async () => {
    await page.goto(`${home}#/subnets`);
    await page.getByRole('table', { name: 'Subnets' }).getByText(`Subnet ${NETUID}`).first().waitFor();
    await page.goto(`${home}#/subnets/${NETUID}/rules`);
    await page
      .getByRole('row', { name: 'Length of an epoch' })
      .getByText(/\d blocks/)
      .waitFor();
    await page.getByText('Local chain').waitFor();
  });

  it('take a registration, which costs what it said, and then an axon', async () => {
    await page.goto(`${home}#/subnets/${NETUID}`);
    await page.getByRole('button', { name: 'Register …' }).click();
    await dialog().getByText('99.9999').waitFor(); // what keeps the account alive cannot be spent
    await dialog().getByRole('button', { name: 'Check and send' }).click();
    await dialog()
      .getByRole('textbox', { name: /to confirm/ })
      .fill(String(NETUID));
    await dialog().getByRole('textbox', { name: 'Wallet password' }).fill(PASSWORD);
    await dialog()
      .getByRole('button', { name: /^Register for / })
      .click();
    await isFinal();
    await dialog().getByRole('button', { name: 'Announce the axon …' }).click();
    await dialog().getByText('The axon does not run').waitFor();
    await dialog().getByRole('textbox', { name: 'Address' }).fill('203.0.113.9');
    await dialog().getByRole('textbox', { name: 'Port' }).fill('8091');
    await dialog().getByRole('button', { name: 'Check and send' }).click();
    await dialog().getByRole('button', { name: 'Announce', exact: true }).click();
    await isFinal();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    const own = page.getByRole('table', { name: 'Your neurons' }).getByRole('row', { name: /rich · hot/ });
    await own.getByText('203.0.113.9:8091').waitFor();
    await own.getByText('Does not run here', { exact: true }).waitFor();
    await page.goto(`${home}#/subnets`);
    await page.getByText('1 neuron of yours').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('have an axon that starts for the hotkey that is chosen, and says that others are sent elsewhere', async () => {
    await page.goto(`${home}#/subnets/axon`);
    await page.getByRole('button', { name: 'Start the axon' }).click();
    await page.getByRole('alert').first().waitFor(); // nothing is chosen yet
    await page.getByRole('combobox', { name: 'Hotkey' }).click();
    await page.getByRole('option', { name: /^rich · hot/ }).click();
    const netuid = page.getByRole('textbox', { name: 'Subnet' });
    await netuid.fill(String(NETUID));
    await netuid.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Saved' }).first().waitFor();
    await page.getByRole('button', { name: 'Start the axon' }).click();
    await page.getByText(`For rich · hot on subnet ${NETUID}`).waitFor();
    await page.goto(`${home}#/subnets/${NETUID}`);
    const own = page.getByRole('table', { name: 'Your neurons' }).getByRole('row', { name: /rich · hot/ });
    await own.getByText('Announced elsewhere', { exact: true }).waitFor();
    await page.goto(`${home}#/subnets/axon`);
    await page.getByRole('button', { name: 'Stop the axon' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
  });
});

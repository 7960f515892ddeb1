import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { writeHollowModel } from '../support/hollow-model.ts';
import { HUB_MODELS } from '../support/hub-data.ts';
import { HUB_TOKEN, HubServer } from '../support/hub-server.ts';
import { cookieOfLink } from '../support/owner.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const chromium = findChromium();

/** A real node, a browser, and a server that answers as Hugging Face does, with one small model. */
describe.skipIf(!chromium)('the search for models', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let hub: HubServer;
  let node: QuarryProcess;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const from = join(folder.path, 'served.gguf');
    await writeHollowModel(from, {
      ...{ architecture: 'qwen3', name: 'poet', layers: 2, embedding: 256, heads: 4, kvHeads: 2, headSize: 64 },
      ...{ feedForward: 512, contextLength: 2_048, type: 'F16', vocabulary: 400 },
    });
    const poet = { downloads: 7, tags: ['license:mit'], files: [{ path: 'poet-F16.gguf', from }] };
    hub = await new HubServer([...HUB_MODELS, { id: 'me/poet-GGUF', ...poet }]).open();
    const env = { HF_ENDPOINT: hub.url, QUARRY_SHOW_WELCOME: 'false', QUARRY_MODELS_FROM_PEERS: 'false' };
    const args = ['start', '--headless', '--json', '--port', '0', '--bootstrap', '127.0.0.1:9'];
    node = new QuarryProcess([...args, '--data', join(folder.path, 'data')], env);
    const [, link = ''] = await node.printed(/"screens": "([^"]+)"/);
    const cookie = await cookieOfLink(link);
    browser = await launchChromium(chromium as string);
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
    await page.context().addCookies([cookie]);
    await page.goto(`${cookie.url}/#/models/search`);
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await hub?.close();
    await folder?.remove();
  });

  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });
  const inspector = (name: string) => page.getByRole('region', { name, exact: true });

  it('shows what there is, explains a gated one, and says what cannot be loaded', async () => {
    await row('gemma-3-4b-it-qat-q4_0').getByText('Gated', { exact: true }).waitFor();
    await row('gemma-3-4b-it-qat-q4_0').click();
    const gated = inspector('gemma-3-4b-it-qat-q4_0-gguf');
    await gated.getByText('Its owner decides who gets it').waitFor();
    expect(await gated.getByRole('link', { name: 'Open its page' }).getAttribute('href')).toMatch(/google\/gemma/);
    await gated.getByLabel('Access token').fill(HUB_TOKEN);
    await gated.getByLabel('Access token').press('Enter');
    await gated.getByText('Saved').waitFor();
    await row('gpt-oss-120b').click();
    const pieces = inspector('gpt-oss-120b-GGUF');
    await pieces.getByText('Not supported').waitFor();
    await pieces.getByText('Quarry cannot load it').waitFor();
    await pieces.getByText('comes in 3 files, 63.3 GB together', { exact: false }).waitFor();
    expect(await pieces.getByRole('button', { name: /^Download/ }).count()).toBe(0);
  });

  it('tells on a phone how each fits, and its licence', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await row('gpt-oss-120b').getByText('Too large').waitFor();
    await row('gpt-oss-120b').getByText('· Apache 2.0').waitFor();
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('finds a model, downloads it, and it stands on this computer', async () => {
    await page.getByRole('searchbox', { name: 'Search Hugging Face' }).fill('poet');
    const details = inspector('poet-GGUF');
    await details.getByText('By the model’s own header.').waitFor();
    await details.getByText('Best here').waitFor();
    await details.getByRole('button', { name: /^Download/ }).click();
    await details.getByText('Here', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'On this computer' }).click();
    await row('Poet').waitFor();
  });

  it('says what is wrong when the server does not answer as it should', async () => {
    hub.instead = (_, response) => Boolean(response.writeHead(200).end('<html>'));
    await page.keyboard.press('Control+K');
    await page.getByRole('textbox', { name: 'Find anything' }).fill('whatever');
    await page.getByText('For «whatever»').click();
    await page.getByText('did not answer as Hugging Face does').waitFor();
    await page.getByText('Check the source of models').waitFor();
  });
});

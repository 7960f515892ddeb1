import { readFile } from 'node:fs/promises';
import pino from 'pino';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeUpVideo } from '../../src-main/app/market-demo/made-up-video.ts';
import { openStage, type Stage } from '../../src-main/app/market-demo/stage.ts';
import type { TradePart } from '../../src-main/app/parts/focus/trade.ts';
import { implementer } from '../../src-main/app/routes/implementer.ts';
import { tradeRoutes } from '../../src-main/app/routes/trade.ts';
import { sha256 } from '../../src-main/base/sha256.ts';
import { watched } from '../../src-main/base/watched.ts';
import { taoText } from '../../src-preload/contract/rao.ts';
import { shortAddress } from '../../src-renderer/components/chain/short-address.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { takePictures } from '../support/pictures.ts';
import { RECORDINGS } from '../support/screens/sample-focus.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const chromium = findChromium();
const log = pino({ level: 'silent' });
/** It can be offered: nobody has. */
const OWN = RECORDINGS.find(({ state }) => state === 'ready');

/**
 * The market's screens before the real market, its real client and a simulated chain, as in `quarry focus demo`: only the recording is made up. What else the
 * screens show is out of a script.
 */
describe.skipIf(!chromium)('a market, on the screens', () => {
  const stack = new AsyncDisposableStack();
  const ending = new AbortController();
  let stage: Stage;
  let browser: Browser;
  let node: ScriptedNode;
  let page: Page;

  beforeAll(async () => {
    stage = await openStage(stack, { withFailures: false, log, blockMs: 100 });
    await offerOf('Fix a leaking tap');
    browser = await launchChromium(chromium ?? '');
    const { os, domain } = implementer(log);
    const until = (signal?: AbortSignal) => (signal ? AbortSignal.any([signal, ending.signal]) : ending.signal);
    const trade = os.trade.router(tradeRoutes(domain('trade'), partOf(until), { until }));
    node = await startScriptedNode({}, undefined, 0, { trade });
    page = await browser.newPage({ viewport: { width: 1_280, height: 800 }, locale: 'en-US' });
    await page.goto(`${node.url}#/focus/market`);
  });

  afterAll(async () => {
    ending.abort();
    await browser?.close();
    await node?.close();
    await stack.disposeAsync();
  });

  /** What somebody else sells. */
  async function offerOf(title: string): Promise<void> {
    const { seller, folder } = stage;
    const video = await madeUpVideo(folder, title);
    const { id } = await seller.desk.prepareOffer(video, { recording: video.recording, wish: null });
    await seller.desk.offers.send(id);
    await seller.untilOffer(id, ({ state, price }) => state === 'submitted' && price !== null, ending.signal);
  }

  /** Buying and selling of whoever sits before the screens. */
  function partOf(until: (signal?: AbortSignal) => AbortSignal): TradePart {
    const { desk, changes } = stage.buyer;
    return {
      desk,
      watch: (signal) => watched(() => desk.state(), changes, until(signal)),
      async *prepareOffer({ recording, wish }) {
        const video = await madeUpVideo(stage.folder, OWN?.title ?? '');
        yield { type: 'prepared', offer: await desk.prepareOffer(video, { recording, wish }) };
      },
      async *demo() {},
    };
  }

  const bought = async () => (await stage.buyer.desk.state()).purchases[0];

  it('says of its tasks that they are from the market, and that their words stay', async () => {
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page
      .getByText(/^From the market/)
      .first()
      .click(); // the filter stands above the list
    await page.getByRole('region', { name: 'Plan the deliveries of a day' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
    await takePictures(page, 'focus/market-tasks', [1_280]);
    await page.getByRole('button', { name: 'Record this' }).click();
    await page.getByText('Its words come from a list and stay as they are.').waitFor();
    await page.getByRole('link', { name: 'Market' }).click();
  });

  it('shows what is for sale, and what buying it would do, which spends and binds nothing', async () => {
    await page.getByRole('rowheader', { name: /Fix a leaking tap/ }).waitFor();
    await page.getByRole('button', { name: 'Look at the purchase' }).click();
    const dialog = page.getByRole('dialog', { name: 'Buy «Fix a leaking tap»' });
    const { videos } = await stage.buyer.desk.list();
    const price = taoText(BigInt(videos[0]?.price ?? 0));
    expect(Number(price)).toBeGreaterThan(0);
    await dialog.getByText(`${price} TAO`, { exact: true }).waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(5);
    const letters = (await dialog.textContent())?.replaceAll(/\s/g, '');
    expect(letters).toContain(`Seller,getsallofit${shortAddress(stage.seller.coldkey)}`);
    await takePictures(page, 'focus/market-dry-run', [1_280]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await bought()).toBeUndefined();
  });

  it('buys it: kept first, then paid at a word, with amount and address in sight, and here in the end as it was sold', async () => {
    await page.getByRole('button', { name: 'Look at the purchase' }).click();
    await page.getByRole('button', { name: 'Reserve it' }).click();
    await page.getByText('It is kept for you. Nothing is paid yet.').waitFor();
    const before = stage.chain.balance(stage.seller.coldkey);
    await page.getByRole('button', { name: 'Pay…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Check before you send' });
    const { price = '0' } = (await bought()) ?? {};
    await expect.poll(async () => await dialog.textContent()).toContain(taoText(BigInt(price)));
    const letters = (await dialog.textContent())?.replaceAll(/\s/g, '');
    expect(letters).toContain(stage.seller.coldkey);
    expect(letters).toContain(shortAddress(stage.buyer.coldkey));
    await takePictures(page, 'focus/market-pay', [1_280]);
    expect(stage.chain.balance(stage.seller.coldkey)).toBe(before);
    await dialog.getByRole('button', { name: /^Send/ }).click();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('It is yours, and here.').waitFor();
    await page.getByText(/^The video is here: /).waitFor();
    await takePictures(page, 'focus/market-bought', [1_280]);
    const { file = '', sha256: sold } = (await bought()) ?? {};
    expect(sha256(await readFile(file ?? '')).toString('hex')).toBe(sold);
    expect(stage.chain.balance(stage.seller.coldkey)).toBe(before + BigInt(price));
  });

  it('sells: what would leave this computer is shown first, then it is uploaded, scored and for sale', async () => {
    await page.getByText('My offers', { exact: true }).click();
    await page.getByRole('button', { name: 'Offer a recording' }).click();
    const dialog = page.getByRole('dialog', { name: 'Offer a recording' });
    await dialog.getByLabel('Recording').selectOption({ label: OWN?.title ?? '' });
    await dialog.getByRole('button', { name: 'Prepare' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('It is on this computer alone.').waitFor();
    await page.getByRole('button', { name: 'Send…' }).click();
    await page.getByText(/This leaves your computer, to 127\.0\.0\.1:\d+: the whole video/).waitFor();
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('It can be bought.').waitFor();
    await page.getByRole('cell', { name: 'For sale' }).waitFor();
    await takePictures(page, 'focus/market-listed', [1_280]);
    const visitor = await stage.come('eve');
    await expect.poll(async () => (await visitor.desk.list()).videos.map(({ title }) => title)).toContain(OWN?.title);
  });
});

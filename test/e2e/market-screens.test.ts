import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorView } from '../../src-main/base/error-view.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { MarketReview } from '../../src-preload/contract/market.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { noViolations } from '../support/page-checks.ts';
import { takePictures } from '../support/pictures.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const chromium = findChromium();
/** What a market takes. */
const TRADE = ['url', 'key', 'wallet', 'hotkey', 'dailyCap'].map((name) => `trade.${name}`);
const APPEALED: MarketReview = {
  ...{ id: 'a'.repeat(32), title: 'Mend the import', description: 'Of the budget.', kind: 'boosted', multiplier: 2 },
  ...{ seller: '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy', score: 0.05, marketScore: 0.05, sellerScore: 0.9 },
  ...{
    rulesScore: 0.94,
    reason: 'Nobody is at work.',
    appeal: 'See minute 12.',
    durationMs: 600_000,
    bytes: 5_000_000,
  },
  ...{ since: 1_700_000_000_000, file: '/data/market/a.webm' },
};
let browser: Browser;
let node: ScriptedNode;
let page: Page;

describe.skipIf(!chromium)('what a person decides at a market, on the screens', () => {
  beforeAll(async () => {
    if (chromium) browser = await launchChromium(chromium);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    node = await startScriptedNode();
  });
  afterEach(async () => {
    await page.close();
    await node.close();
  });

  async function open(part: string): Promise<void> {
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
    await page.goto(`${node.url}#/focus/market`);
    await page.getByText(part, { exact: true }).click();
  }

  it('shows what waits for a person, with both scores and the note, and takes the decision', async () => {
    node.data.reviews = [APPEALED, { ...APPEALED, id: 'b'.repeat(32), title: 'Another', appeal: null }];
    await open('To look at');
    await page.getByText('Its seller says: See minute 12.').waitFor();
    await page.getByText('The market’s model says: Nobody is at work.').waitFor();
    await noViolations(page);
    const accept = page.getByRole('button', { name: 'Put up for sale' });
    expect(await page.getByLabel('What it is worth').inputValue()).toBe(''); // nobody has chosen yet
    expect(await accept.isDisabled()).toBe(true);
    await page.getByLabel('What it is worth').fill('0.6');
    await accept.click();
    await expect.poll(() => node.data.judged).toEqual([{ id: APPEALED.id, accept: true, score: 0.6, reason: '' }]);
    await page.getByText('Its seller says: See minute 12.').waitFor({ state: 'detached' });
    const refuse = page.getByRole('button', { name: 'Refuse' });
    expect(await refuse.isDisabled()).toBe(true);
    await page.getByLabel('Reason').fill('It is a film.');
    await refuse.click();
    await expect.poll(() => node.data.judged.at(-1)).toMatchObject({ accept: false, reason: 'It is a film.' });
    await page.getByText('Nothing waits for a person').waitFor();
  });

  it('has no such part where no market is served', async () => {
    await open('My offers');
    await page.getByRole('button', { name: 'Offer a recording' }).waitFor();
    expect(await page.getByText('To look at', { exact: true }).count()).toBe(0);
  });

  it('offers a recording that is ready, and says why another one cannot be', async () => {
    await open('My offers');
    await page.getByRole('button', { name: 'Offer a recording' }).click();
    const dialog = page.getByRole('dialog', { name: 'Offer a recording' });
    const choice = dialog.getByLabel('Recording');
    const prepare = dialog.getByRole('button', { name: 'Prepare' });
    await choice.getByRole('option', { name: '(Draft)' }).first().waitFor({ state: 'attached' });
    const options = await choice.getByRole('option').allTextContents();
    const draft = options.find((name) => name.endsWith('(Draft)'));
    const ready = options.find((name) => name !== '–' && !name.endsWith(')'));
    await choice.selectOption({ label: draft ?? '' });
    await dialog.getByText('It has no score yet: have it scored first.').waitFor();
    expect(await prepare.isDisabled()).toBe(true);
    await choice.selectOption({ label: ready ?? '' });
    await expect.poll(() => prepare.isDisabled()).toBe(false);
  });

  it('offers a recording right from the library, which leads to the market with it chosen', async () => {
    await open('My offers');
    await page.goto(`${node.url}#/focus/library`);
    await page.getByRole('button', { name: 'Clean up a survey in a spreadsheet' }).click();
    await page.getByRole('button', { name: 'Offer on a market…' }).click();
    const choice = page.getByRole('dialog', { name: 'Offer a recording' }).getByLabel('Recording');
    await expect.poll(() => choice.locator('option:checked').textContent()).toBe('Clean up a survey in a spreadsheet');
    await page.keyboard.press('Escape');
    await page.goto(`${node.url}#/focus/library`);
    await page.getByRole('button', { name: 'Label a month of receipts' }).click(); // a draft
    await page.getByRole('region', { name: 'Label a month of receipts' }).waitFor();
    expect(await page.getByRole('button', { name: 'Offer on a market…' }).count()).toBe(0);
  });

  it('says where no market is set what one is, shows how it goes without, and where it is entered', async () => {
    node.data.trade = { ...node.data.trade, market: null, purchases: [], offers: [] };
    await open('No market is set');
    await page.getByText(/Whoever runs it tells its address and its key/).waitFor();
    await takePictures(page, 'focus/market-not-set');
    expect(await page.getByText('My offers', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Try it', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Try it without money' }).click();
    const demo = page.getByRole('dialog', { name: 'Try it without money' });
    await demo.getByText(/all else is as it is for real/).waitFor();
    await page.setViewportSize({ width: 1_280, height: 500 });
    await demo.getByRole('button', { name: 'Start' }).click();
    await demo.getByRole('button', { name: 'Once more' }).waitFor();
    expect(await demo.getByText(/all else is as it is for real/).count()).toBe(0);
    const inSight = async (found: Locator) => {
      const { y, height } = (await found.boundingBox()) ?? { y: 0, height: Number.POSITIVE_INFINITY };
      return y + height <= 500;
    };
    await expect.poll(() => inSight(demo.getByText(/Sam owes Ben/))).toBe(true);
    expect(await inSight(demo.getByRole('button', { name: 'Once more' }))).toBe(true);
    await takePictures(page, 'focus/market-demo');
    await demo.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'Enter a market' }).click();
    await page.getByText('trade.url', { exact: true }).waitFor();
    expect(await page.getByText(/^[a-z]+\.[a-zA-Z]+$/).allTextContents()).toEqual(TRADE);
    await takePictures(page, 'focus/market-settings', [1_280]);
  });

  it('keeps showing what was bought and offered where no market is set any more', async () => {
    node.data.trade = { ...node.data.trade, market: null, purchases: [] };
    await open('My offers');
    await page.getByRole('rowheader', { name: /Repair a torn jacket/ }).waitFor();
  });

  it('what videos brought stands with what was earned, before credits, in words of its own', async () => {
    await open('Videos');
    await page.goto(`${node.url}#/earnings`);
    await page.getByText('TAO for recordings that were sold, apart from points and credits.').waitFor();
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(titles.filter((title) => title !== 'Overview')).toEqual([
      ...['Day by day', 'Focus videos', 'Credits', 'Where points come from', 'Signed and waiting'],
    ]);
    const videos = page.getByRole('region', { name: 'Focus videos' });
    expect(await videos.locator('dl').textContent()).toMatch(/Earned in all0\.052TAO.*To be paid back0\.052TAO/);
    await videos.getByRole('link', { name: 'To the market' }).click();
    await page.getByText('My offers', { exact: true }).waitFor();
  });

  it('goes on with an offer that rests when a person wants it', async () => {
    const { offers } = node.data.trade;
    const [first] = offers;
    if (!first) throw new Error('a sample without an offer');
    const text = say('trade.wantedAgain', { host: 'market.example', times: 3 });
    const error = errorView(
      new QuarryError({ code: 'BAD_REQUEST', message: text, hint: say('trade.wantedAgain.hint') }),
    );
    const resting = { ...first, state: 'uploading' as const, rests: true, error, owed: [] };
    node.data.trade = { ...node.data.trade, offers: [resting] };
    await open('My offers');
    await page.getByText('wanted the video 3 times').waitFor();
    await takePictures(page, 'offer-rests');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
    expect(node.data.trade.offers).toMatchObject([{ rests: false }]);
  });

  it('takes an appeal to the market that has rejected an offer', async () => {
    const { offers } = node.data.trade;
    const [first] = offers;
    if (!first) throw new Error('a sample without an offer');
    const rejected = { ...first, state: 'rejected' as const, score: 0.05, mayAppeal: true, owed: [] };
    node.data.trade = { ...node.data.trade, offers: [rejected] };
    await open('My offers');
    await page.getByRole('button', { name: 'Appeal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is the score wrong?' });
    await dialog.getByLabel('What was overlooked?').fill('See minute 12.');
    await dialog.getByRole('button', { name: 'Appeal' }).click();
    await expect.poll(() => node.data.scoring).toEqual(['appeal at the market: See minute 12.']);
  });
});

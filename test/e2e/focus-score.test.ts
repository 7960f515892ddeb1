import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { say, told } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { noViolations } from '../support/page-checks.ts';
import { takePictures } from '../support/pictures.ts';
import { RULES, recording, SCORER } from '../support/screens/sample-focus.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const chromium = findChromium();
const INTERRUPTED = 'Its page, or Quarry, ended amid it. Everything until then is here.';
const ELSEWHERE = 'https://api.example.com';
let browser: Browser;
let node: ScriptedNode;
let page: Page;

describe.skipIf(!chromium)('what recordings are worth, on the screens', () => {
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

  async function open(width = 1_280): Promise<void> {
    page = await browser.newPage({ viewport: { width, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
    await page.goto(`${node.url}#/focus/library`);
    await page.getByRole('table').waitFor();
  }
  const rows = () => page.getByRole('table').getByRole('rowheader').count();

  it('shows each with its state, why, and its score, and narrows them down by state', async () => {
    await open();
    await page.getByRole('cell', { name: '0.86' }).waitFor();
    await page.getByText(/ are used: recordings, and the videos made of them/).waitFor();
    await page.getByText('Size without videos made of it').waitFor();
    expect(await rows()).toBe(7);
    expect(await page.getByRole('cell', { name: /^It gives orders/ }).count()).toBe(1);
    await page.getByRole('combobox', { name: 'State' }).selectOption('ready');
    await expect.poll(rows).toBe(2);
    await page.getByRole('combobox', { name: 'State' }).selectOption('offered');
    await page.getByText('No recording matches').waitFor();
  });

  it('says what each is worth in a long list too, and keeps its place when one is added', async () => {
    node.data.library = Array.from({ length: 220 }, (_, at) => recording(at + 1, `Work ${at + 1}`, 'ready', 20));
    await open();
    for (const shown of [100, 150, 200, 220]) {
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(rows).toBe(shown);
    }
    await expect.poll(() => page.getByRole('row', { name: /^Work 211 / }).textContent()).toContain('0.86');
    node.data.library = [recording(0, 'Work that was added', 'draft', 2), ...node.data.library];
    await page.getByRole('row', { name: /^Work that was added/ }).waitFor();
    expect(await rows()).toBeGreaterThanOrEqual(200);
  });

  it('says of a draft what the rules say first, and then what a score would add', async () => {
    const lack = told({ lack: say('focusScore.unscored.noModel') });
    node.data.scorer = { ...SCORER, model: null, host: null, ...lack };
    await open();
    const details = page.getByRole('region', { name: 'Label a month of receipts' });
    await page.getByRole('button', { name: 'Label a month of receipts' }).click();
    await details.getByText('A model would say how good the work is.').waitFor();
    await details.getByText('Only the rules can be applied.').waitFor();
    expect(await details.getByText('No model is set up that could look at it.').count()).toBe(1);
    expect(await details.getByText('Time at work').locator('..').textContent()).toMatch(/Time at work\d+%$/);
    await takePictures(page, 'focus/draft-accepted');
    const [rules, score] = [details.getByText('The rules accept it'), details.getByRole('heading', { name: 'Score' })];
    expect((await rules.boundingBox())?.y).toBeLessThan((await score.boundingBox())?.y ?? 0);
    const why = told({ text: say('focusRules.length.short', { seconds: 12, least: 60 }) });
    node.data.rules = { ...RULES, score: 0, findings: [{ rule: 'length', outcome: 'failed', ...why }] };
    await page.reload();
    await page.getByRole('button', { name: 'Label a month of receipts' }).click();
    await details.getByText('The rules do not accept it').waitFor();
    await details.getByText('What the rules do not accept is shown to no model: the score would be 0.').waitFor();
    expect(await details.getByText('Not accepted').count()).toBe(0);
    expect(await details.getByRole('button', { name: 'Score it' }).getAttribute('data-variant')).toBe('default');
    expect(await details.getByRole('link', { name: 'Set up a model' }).count()).toBe(0);
    await takePictures(page, 'focus/draft-refused');
  });

  it('sends nothing before its owner has said yes to where, and asks that once', async () => {
    node.data.scorer = { ...SCORER, lack: 'You have not agreed.', asks: ELSEWHERE };
    const { settings } = node.data.settings;
    const unset = settings.find(({ path }) => path === 'nodeName');
    if (!unset) throw new Error('The script has no setting that could be copied.');
    node.data.settings.settings = [...settings, { ...unset, path: 'focus.scorer.picturesTo' }];
    await open();
    await page.getByRole('button', { name: 'Score it again' }).click();
    await page.getByRole('dialog', { name: `Send pictures to ${ELSEWHERE}?` }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(node.data.scoring).toEqual([]);
    await page.getByRole('button', { name: 'Score it again' }).click();
    node.data.scorer = SCORER;
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => node.data.scoring).toEqual(['rate']);
    const agreed = node.data.settings.settings.find(({ path }) => path === 'focus.scorer.picturesTo');
    expect(agreed?.value).toBe(ELSEWHERE);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Score it again' }).click();
    await expect.poll(() => node.data.scoring).toEqual(['rate', 'rate']);
  });

  it('leads to the settings of a model first where none is set up', async () => {
    node.data.scorer = { ...SCORER, model: null, host: null, lack: 'No model is set up that could look at it.' };
    const { settings } = node.data.settings;
    const [unset] = settings;
    if (!unset) throw new Error('The script has no setting that could be copied.');
    node.data.settings.settings = [...settings, { ...unset, path: 'focus.scorer.baseUrl' }];
    await open();
    await page.getByText('Only the rules can be applied.').waitFor();
    const isMain = (name: string) =>
      page.getByRole('button', { name }).or(page.getByRole('link', { name })).getAttribute('data-variant');
    expect(await isMain('Score it again')).toBe('default');
    await page.getByRole('link', { name: 'Set up a model' }).click();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('focus.scorer.');
  });

  it('says of one that was interrupted what that means, and leads to where it goes on', async () => {
    node.data.library = [recording(8, 'Outlive the page', 'interrupted', 3), ...node.data.library];
    await open();
    const cells = page.getByRole('row', { name: /^Outlive the page/ }).getByRole('cell');
    await expect.poll(() => cells.allTextContents()).toEqual(['Interrupted', INTERRUPTED, '–']);
    await page.getByRole('button', { name: 'Outlive the page' }).click();
    const details = page.getByRole('region', { name: 'Outlive the page' });
    await details.getByText(INTERRUPTED).waitFor();
    await takePictures(page, 'focus/library-interrupted');
    await details.getByRole('link', { name: 'Go on, or keep it as it is' }).click();
    await page
      .getByRole('heading', { name: 'Record your work' })
      .or(page.getByRole('heading', { name: 'Before you record' }))
      .first()
      .waitFor();
  });

  it('takes an appeal with a note', async () => {
    await open();
    await page.getByRole('button', { name: 'Appeal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is the score wrong?' });
    expect(await dialog.getByRole('button', { name: 'Appeal' }).isDisabled()).toBe(true);
    await dialog.getByLabel('What was overlooked?').fill('Both files are taken in.');
    await dialog.getByRole('button', { name: 'Appeal' }).click();
    await expect.poll(() => node.data.scoring).toEqual(['appeal: Both files are taken in.']);
  });

  it.each([1_280, 400])('has nothing that a person would trip over, at %i pixels', async (width) => {
    await open(width);
    await noViolations(page);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { takePictures } from '../support/pictures.ts';
import { type QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { openTinyNodePage } from '../support/screens/tiny-node-page.ts';

const chromium = findChromium();

describe.skipIf(!chromium)('an evaluation on the screens of a real node', () => {
  let browser: Browser;
  let page: Page;
  let node: QuarryProcess;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    if (!chromium) return;
    folder = await temporaryFolder();
    browser = await launchChromium(chromium);
    ({ node, page } = await openTinyNodePage(browser, { data: join(folder.path, 'data'), place: '/evaluation' }));
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await folder?.remove();
  });

  it('is begun, fills the map as answers come, and shows each question with what would be right', async () => {
    await page.getByText('Nothing was evaluated yet').waitFor();
    await page.getByRole('link', { name: 'New evaluation' }).click();
    await page
      .getByRole('checkbox', { name: /^Needle/ })
      .first()
      .press('Space');
    await page.getByRole('checkbox', { name: /^Anchors/ }).press('Space');
    const lengths = page.getByRole('group', { name: 'How long the texts are' });
    for (const length of ['1k', '2k', '4k']) await lengths.getByText(length, { exact: true }).click();
    for (const own of ['600', '900', '60k']) {
      await page.getByRole('textbox', { name: 'Another length' }).fill(own);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Start the evaluation' }).click();
    const left = page.getByRole('alert');
    await left.getByText('No room for 600 and 60k').waitFor();
    await left.getByText('600 tokens are too few for «anchors»: it takes about 750.').waitFor();
    await page.getByRole('button', { name: 'Start without them' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    const map = page.getByRole('grid', { name: /^Needle map of Anchors/ });
    const cell = map.getByRole('gridcell', { name: /^900 tokens, Middle/ });
    expect(await cell.getAttribute('title')).toMatch(/\d+% of \d questions?$/);
    expect(await map.getByRole('gridcell', { name: /^60k tokens/ }).count()).toBe(0);
    await cell.click();
    const details = page.getByRole('region', { name: 'Anchors' });
    await details.getByText('900 tokens · Middle').waitFor();
    await details.getByRole('button', { name: 'Show the question' }).first().click();
    await details.getByText(/That was the text. Which code belongs to the marker/).waitFor();
    await takePictures(page, 'evaluation/on-a-node', [1_280]);
    await page.getByRole('button', { name: 'Save' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const csv = await readFile(await (await saved).path(), 'utf8');
    expect(csv.split('\r\n').filter((line) => line.startsWith('anchors,,900,')).length).toBeGreaterThanOrEqual(3);
  });
});

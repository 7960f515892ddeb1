import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { openTinyNodePage } from '../support/screens/tiny-node-page.ts';

const chromium = findChromium();
/** More than one message to a node may have. */
const LONG = Buffer.from(JSON.stringify({ worker: 'x'.repeat(3 << 20) }));

describe.skipIf(!chromium)('audits on the screens of a real node', () => {
  let browser: Browser;
  let page: Page;
  let node: QuarryProcess;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    if (!chromium) return;
    folder = await temporaryFolder();
    browser = await launchChromium(chromium);
    ({ node, page } = await openTinyNodePage(browser, {
      data: join(folder.path, 'data'),
      place: '/network/audits',
      env: { QUARRY_THREADS: '1' },
    }));
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await folder?.remove();
  });

  it('have the loaded model calibrated, which goes on while another page is shown and the page is loaded again', async () => {
    await page.getByText('Nobody was looked at yet').waitFor();
    await page.getByText(/is not calibrated$/).waitFor();
    await page.getByRole('button', { name: 'Calibrate' }).first().click();
    const bar = page.getByRole('region', { name: 'Calibration under way' });
    await bar.getByText(/: \d+ of 72 honest answers/).waitFor();
    await page.getByRole('link', { name: 'Peers', exact: true }).click();
    await page.reload();
    await page.getByRole('link', { name: 'Audits', exact: true }).click();
    const table = page.getByRole('table', { name: 'Thresholds' });
    await table.getByText(/^48 answers, [\d,]+ tokens · CPU/).waitFor();
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'After tokens',
      ...['32', '128', '512', '2,048'],
    ]);
    await page.getByText('Nothing was asked yet').waitFor();
  });

  it('refuse a report that is none, however long it is', async () => {
    const others = page.getByRole('region', { name: 'Somebody’s report' });
    const file = { name: 'long.json', mimeType: 'application/json', buffer: LONG };
    await others.locator('input[type=file]').setInputFiles(file);
    await others.getByRole('alert').getByText('This is no report about a worker.').waitFor();
    expect(await page.getByText('No connection to Quarry.').count()).toBe(0);
  });
});

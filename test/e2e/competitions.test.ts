import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { noScrollingSideways, noViolations } from '../support/page-checks.ts';
import { takePictures } from '../support/pictures.ts';
import type { ScriptedNode } from '../support/screens/scripted-node.ts';
import { openScriptedPage } from '../support/screens/scripted-page.ts';

const chromium = findChromium();

describe.skipIf(!chromium)('the page of competitions', () => {
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

  const open = (place = '/optimiser') => page.goto(`${node.url}#/competitions${place}`);
  const told = () => node.data.optimiser;

  it('shows what came of a search: speed by attempt with failures, and in what the best differs', async () => {
    await open();
    const chart = page.getByRole('figure', { name: 'Speed of 15 attempts; the best: 1.35×' });
    await chart.waitFor();
    expect(await chart.locator('[data-chart="failed"]').count()).toBe(8);
    expect(await chart.locator('[data-chart="measured"]').count()).toBe(6);
    expect(await chart.locator('[data-chart="best"]').count()).toBe(1);
    const diff = page.getByRole('region', { name: 'The best and the start' }).last();
    await diff.getByText('let acc = f32x4.splat(0);').waitFor();
    await noViolations(page);
    await takePictures(page, 'competitions');
    await noScrollingSideways(page);
  });

  it('grows while a search runs, is stopped and gone on with', async () => {
    await open();
    await page.getByRole('figure', { name: /15 attempts/ }).waitFor();
    const [running] = told().all;
    const last = running?.list.at(-1);
    if (!running || !last) throw new Error('none runs');
    running.list.push({ ...last, number: 15, speed: { ratio: 2, low: 1.9, high: 2.1 } });
    running.best = { number: 15, ratio: 2, low: 1.9, high: 2.1 };
    await page.getByRole('figure', { name: 'Speed of 16 attempts; the best: 2×' }).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => told().done).toEqual([`stop ${running.id}`, `resume ${running.id}`]);
  });

  it('says why one failed, and removes it', async () => {
    await open();
    await page.getByRole('button', { name: 'Nobody yet' }).click();
    await page.getByText('The server does not answer.').first().waitFor();
    await page.getByText('No kernel was right yet.').waitFor();
    await page.getByText('Nothing was tried yet.').waitFor();
    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(() => told().done).toEqual(['remove 4a2b3c4d5e6f7081']);
  });

  it('begins one at a server with own code, and not while another one runs', async () => {
    await open('/new');
    await page.getByText('A search is running').waitFor();
    await takePictures(page, 'competitions-new');
    told().all = [];
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await start.waitFor();
    await page.getByRole('radio', { name: 'A server' }).check();
    expect(await start.isDisabled()).toBe(true);
    await page.getByLabel('Address').fill('http://127.0.0.1:9/v1');
    await page.getByLabel('Ideas', { exact: true }).fill('7');
    await page.getByRole('textbox', { name: 'Your own code' }).fill('export function step(): void {}');
    await start.click();
    await page.getByRole('figure', { name: /0 attempts/ }).waitFor();
    expect(told().started).toMatchObject([
      {
        ...{ target: { kind: 'address', url: 'http://127.0.0.1:9/v1' }, iterations: 7, plateau: 25, tokens: 100_000 },
        source: 'export function step(): void {}',
      },
    ]);
  });

  it('says what will be here where nothing is', async () => {
    told().all = [];
    await open();
    await page.getByText('No kernel was searched for yet').waitFor();
    await noViolations(page);
  });
});

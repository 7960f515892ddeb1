import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { QuarryProcess } from '../support/quarry-process.ts';
import { newcomersWay } from '../support/screens/newcomers-way.ts';
import { NewcomersWorld } from '../support/screens/newcomers-world.ts';

const chromium = findChromium();
let browser: Browser;
let world: NewcomersWorld;
let node: QuarryProcess;
let address = '';

beforeAll(async () => {
  if (chromium) browser = await launchChromium(chromium);
});

afterAll(() => browser?.close());

beforeEach(async () => {
  world = await NewcomersWorld.open();
  node = new QuarryProcess(['start', '--headless'], world.environment);
  [, address = ''] = await node.printed(/screens\s+(\S+)/);
});

afterEach(async () => {
  await node?.stop();
  await world?.close();
});

describe.skipIf(!chromium)('a newcomer in a browser', () => {
  it('installs a model, mines, earns, and stops', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(address);
    try {
      await newcomersWay(page, world);
    } finally {
      await page.screenshot({ path: 'test-results/newcomer-browser.png', fullPage: true });
    }
    expect(complaints).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor(); // not the welcome again
    await page.close();
  });
});

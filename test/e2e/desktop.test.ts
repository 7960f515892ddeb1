import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { DesktopApp, launchElectronPages } from '../support/electron-double/driver.ts';
import { newcomersWay } from '../support/screens/newcomers-way.ts';
import { NewcomersWorld, PEBBLE } from '../support/screens/newcomers-world.ts';

const chromium = findChromium();
let browser: Browser;
let world: NewcomersWorld;
let app: DesktopApp;

beforeAll(async () => {
  if (chromium) browser = await launchElectronPages(chromium);
});

afterAll(() => browser?.close());

beforeEach(async () => {
  world = await NewcomersWorld.open();
});

afterEach(async () => {
  await app?.quit();
  await world?.close();
});

describe.skipIf(!chromium)('a newcomer with the desktop app', () => {
  // As newcomer.test.ts does in a browser.
  it('installs a model, mines, earns, and stops', { tags: ['long'] }, async () => {
    const env = { ...world.environment, QUARRY_MINE_ON_START: 'true' }; // after the welcome only
    app = new DesktopApp({ dataDir: world.dataDir, env, browser });
    const page = await app.window();
    try {
      await newcomersWay(page, world);
    } finally {
      await page.screenshot({ path: 'test-results/newcomer-desktop.png', fullPage: true });
    }
    const told = app.notifications.map(({ title }) => title);
    expect(told).toEqual([`${PEBBLE} is here`, expect.stringMatching(/^Achievement: /)]);
  });
});

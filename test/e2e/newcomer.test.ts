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
  // The language is the browser's: nobody has chosen one yet.
  node = new QuarryProcess(['start', '--headless'], { ...world.environment, QUARRY_LANGUAGE: 'system' });
  [, address = ''] = await node.printed(/screens\s+(\S+)/);
});

afterEach(async () => {
  await node?.stop();
  await world?.close();
});

interface Way {
  language: 'en' | 'de';
  width: number;
  height: number;
}

const WAYS: Way[] = [{ language: 'de', width: 400, height: 800 }];
/** What these could find, the German one on a phone mostly finds, too. */
const MORE_WAYS: Way[] = [
  { language: 'en', width: 1_280, height: 800 },
  { language: 'en', width: 400, height: 800 },
];
const NAME = 'installs a model, mines, earns, and stops: $language, $width px';

describe.skipIf(!chromium)('a newcomer in a browser', () => {
  it.each(WAYS)(NAME, goTheWay);
  it.each(MORE_WAYS)(NAME, { tags: ['long'] }, goTheWay);
});

async function goTheWay({ language, ...viewport }: Way): Promise<void> {
  const page = await browser.newPage({ viewport, locale: language });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(address);
  try {
    await newcomersWay(page, world, language);
  } finally {
    await page.screenshot({ path: `test-results/newcomer-${language}-${viewport.width}.png`, fullPage: true });
  }
  expect(complaints).toEqual([]);
  await page.reload();
  const title = { en: 'Dashboard', de: 'Übersicht' }[language];
  await page.getByRole('heading', { level: 1, name: title }).waitFor(); // not the welcome again
  await page.close();
}

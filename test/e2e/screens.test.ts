import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const PAGES = ['dashboard', 'earnings', 'models', 'playground', 'network', 'settings'] as const;
const WIDTHS = { wide: 1280, narrow: 400 } as const;
const PICTURES = 'test-results/screens';

const chromium = findChromium();
let browser: Browser;
let node: ScriptedNode;
let axe: string;

beforeAll(async () => {
  if (!chromium) return;
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  node = await startScriptedNode();
  browser = await launchChromium(chromium);
});

afterAll(async () => {
  await browser?.close();
  await node?.close();
});

/** What a person would trip over, as axe-core names it, with the first element at fault. */
async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const results = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
}

async function open(address: string, options: { scheme: 'light' | 'dark'; width: number; language?: string }) {
  const page = await browser.newPage({
    viewport: { width: options.width, height: 900 },
    colorScheme: options.scheme,
    locale: options.language ?? 'en-US',
    reducedMotion: 'reduce',
  });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return { page, complaints };
}

describe.skipIf(!chromium)('every screen', { timeout: 60_000 }, () => {
  describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
    it.each(PAGES)('%s: has no serious fault for those who hear or type, and fits a narrow window', async (name) => {
      for (const [kind, width] of Object.entries(WIDTHS)) {
        const { page, complaints } = await open(`${node.url}#/${name === 'dashboard' ? '' : name}`, { scheme, width });
        await page.waitForLoadState('networkidle');
        expect(await seriousFaults(page)).toEqual([]);
        expect(complaints).toEqual([]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${name} is wider than a ${kind} window`).toBeLessThanOrEqual(0);
        await page.screenshot({ path: `${PICTURES}/${name}-${scheme}-${kind}.png`, fullPage: true });
        await page.close();
      }
    });
  });

  it('speaks German to a German browser, and English when the setting says so', async () => {
    const language = (path: string, value: string) => {
      const settings = node.data.settings.settings.map((one) => (one.path === path ? { ...one, value } : one));
      node.data.settings = { ...node.data.settings, settings };
    };
    language('language', 'system');
    const german = await open(node.url, { scheme: 'light', width: 1280, language: 'de-DE' });
    expect(await german.page.getByRole('link', { name: 'Einstellungen' }).isVisible()).toBe(true);
    expect(await german.page.evaluate('document.documentElement.lang')).toBe('de');
    language('language', 'en');
    await german.page.reload();
    await german.page.getByRole('link', { name: 'Settings' }).waitFor();
    await german.page.close();
  });

  it('says when the connection is lost, and goes on when it is back', async () => {
    const other = await startScriptedNode();
    const { page } = await open(other.url, { scheme: 'light', width: 1280 });
    await other.close();
    await page.getByText('The connection to Quarry is lost').waitFor();
    const port = Number(new URL(other.url).port);
    const back = await startScriptedNode({}, undefined, port);
    await page.getByText('The connection to Quarry is lost').waitFor({ state: 'hidden' });
    await back.close();
    await page.close();
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await open(node.url, { scheme: 'light', width: 1280 });
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.getByRole('link', { name: 'Models' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
    await page.close();
  });
});

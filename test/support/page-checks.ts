import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Nothing on the page that axe finds serious. */
export async function noViolations(page: Page): Promise<void> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults;
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

/** Nothing is wider than the page, on a phone and on a large screen. The page is 1,280 pixels wide afterwards. */
export async function noScrollingSideways(page: Page): Promise<void> {
  for (const width of [400, 1_280, 1_920]) {
    await page.setViewportSize({ width, height: 900 });
    const more = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expect.poll(() => page.evaluate(more)).toBe(0);
  }
  await page.setViewportSize({ width: 1_280, height: 900 });
}

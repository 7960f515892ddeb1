import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Axe, as a script for a page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Its rules that a theme or a width can break; the others need one look at a page. */
export const RULES_OF_LOOKS = [
  'color-contrast',
  'target-size',
  'scrollable-region-focusable',
  'button-name',
  'link-name',
  'label',
];

/**
 * What breaks rules of axe-core.
 * @param rules only these. Default: all
 * @param within what is looked at, as the page's JavaScript
 */
export async function violations(page: Page, rules?: string[], within = 'document'): Promise<Result[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  // What no rule finds is not described: that takes it more than half of its time.
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  return ((await page.evaluate(`axe.run(${within}, ${JSON.stringify(options)})`)) as AxeResults).violations;
}

/** What a person would trip over, as axe-core names it, with the first element at fault. @param rules see {@link violations} */
export async function seriousFaults(page: Page, rules?: string[]): Promise<string[]> {
  return (await violations(page, rules))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
}

/** Nothing on the page that axe finds serious. */
export async function noViolations(page: Page, rules?: string[]): Promise<void> {
  expect(await seriousFaults(page, rules)).toEqual([]);
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

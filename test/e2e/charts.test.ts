import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { violations } from '../support/page-checks.ts';
import { days as sampleDays, samples } from '../support/screens/sample-data.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const STAGE = resolve(import.meta.dirname, '../support/screens/chart-stage');
const WIDTHS = [1_280, 400, 320];
/** Charts with a label that stands out of them, or nearer than 4 pixels to its neighbour. */
const BADLY_PLACED = `[...document.querySelectorAll('figure')].flatMap((figure) => {
  const chart = figure.getBoundingClientRect();
  const boxes = [...figure.querySelectorAll('[data-chart=times] text')]
    .map((text) => text.getBoundingClientRect())
    .sort((one, other) => one.left - other.left);
  const figures = [...figure.querySelectorAll('[data-chart=grid] text')].map((text) => text.getBoundingClientRect());
  const out = [...boxes, ...figures].filter(({ left, right }) => left < chart.left - 0.5 || right > chart.right + 0.5);
  const near = boxes.filter(({ left }, index) => index > 0 && left < boxes[index - 1].right + 4);
  return [...out, ...near].map(() => figure.ariaLabel);
})`;

const chromium = findChromium();
let browser: Browser;
let folder: string;
let stage: ScriptedNode;

beforeAll(async () => {
  if (!chromium) return;
  folder = await mkdtemp(join(tmpdir(), 'quarry-charts-'));
  await build({
    configFile: false,
    logLevel: 'error',
    root: STAGE,
    base: './',
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: true, target: 'chrome140', minify: false },
  });
  stage = await startScriptedNode({}, folder);
  browser = await launchChromium(chromium);
});

afterAll(async () => {
  await browser?.close();
  await stage?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', ...options });
  await page.goto(url);
  await page.locator('figure svg').first().waitFor();
  return page;
}

/** One chart, by what its label begins with. */
function chart(page: Page, label: string) {
  const figure = page.getByRole('figure', { name: label });
  const part = (name: string) => figure.locator(`[data-chart=${name}]`);
  return {
    figure,
    part,
    place: figure.getByRole('application'),
    said: figure.locator('[aria-live=polite]'),
    times: () => part('times').locator('text').allTextContents(),
    figures: () => part('grid').locator('text').allTextContents(),
  };
}

/** Moves the pointer over a chart, to a share of its width. */
async function point(place: Locator, share: number): Promise<void> {
  const box = await place.boundingBox();
  await place.hover({ position: { x: (box?.width ?? 0) * share, y: 60 } });
}

const NOW = 'Tokens per second over';

describe.skipIf(!chromium)('a chart', () => {
  it('has four lines from 0, round times below, and ends at now', async () => {
    const page = await open(stage.url);
    const { figures, times, part } = chart(page, NOW);
    expect(await figures()).toEqual(['0', '20', '40', '60']);
    expect(await times()).toEqual(['20:50', '20:55', '21:00', 'now']);
    expect(await part('payments').locator('line').count()).toBe(17);
    expect(await chart(page, 'Two minutes').times()).toEqual(['21:03:00', '21:04:00', '21:05:00']);
    const week = await chart(page, 'Four of them').times();
    expect([week[0], week.at(-1)]).toEqual(['Nov 13', 'now']);
    expect(week.length).toBeLessThanOrEqual(5);
    await page.close();
  });

  it('breaks its line where nothing is known', async () => {
    const page = await open(stage.url);
    const pieces = async (label: string) => {
      const path = await chart(page, label).part('line').locator('path').last().getAttribute('d');
      return path?.match(/M/g)?.length;
    };
    expect(await pieces(NOW)).toBe(2);
    expect(await pieces('Two minutes')).toBe(2);
    expect(await pieces('Four of them')).toBe(1);
    await page.close();
  });

  it('tells all figures of the sample nearest to the pointer, and what was paid there, but says nothing aloud', async () => {
    const page = await open(stage.url);
    const { place, part, said } = chart(page, NOW);
    await point(place, 0.24);
    expect(await part('tip').textContent()).toBe('20:53:20Tokens per second26Answer paid+10');
    expect(await part('crosshair').count()).toBe(1);
    await point(place, 0.045);
    await expect.poll(() => part('tip').textContent()).toMatch(/^20:50:\d\dTokens per second\d+3 answers paid\+4$/);
    await point(chart(page, 'Four of them').place, 0.5);
    expect(await chart(page, 'Four of them').part('tip').textContent()).toMatch(/Line 1.+Line 2.+Line 3.+Line 4/);
    expect(await part('tip').count()).toBe(0);
    expect(await said.textContent()).toBe('');
    await page.close();
  });

  it('is walked along with the keys, which say where they are', async () => {
    const page = await open(stage.url);
    const { place, part, said } = chart(page, NOW);
    await place.focus();
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return said.textContent();
    };
    expect(await press('ArrowLeft')).toBe('21:05:00. Tokens per second 42');
    expect(await press('ArrowLeft')).toBe('21:04:55. Tokens per second 45');
    expect(await press('Home')).toMatch(/^20:50:00\./);
    expect(await press('ArrowLeft')).toMatch(/^20:50:00\./);
    expect(await press('PageDown')).toMatch(/^20:51:/);
    expect(await part('tip').textContent()).toMatch(/^20:51:/);
    expect(await press('End')).toMatch(/^21:05:00\./);
    expect(await press('Escape')).toBe('');
    expect(await part('tip').count()).toBe(0);
    await press('End');
    await page.keyboard.press('Tab');
    expect(await part('tip').count()).toBe(0);
    await page.close();
  });

  it('can be touched: what a finger looked up stays when it is lifted', async () => {
    const page = await open(stage.url, { hasTouch: true, isMobile: true, viewport: { width: 400, height: 900 } });
    const { place, part } = chart(page, NOW);
    const box = await place.boundingBox();
    await place.tap({ position: { x: (box?.width ?? 0) * 0.3, y: 60 } });
    expect(await part('tip').textContent()).toMatch(/^20:53:/);
    await page.close();
  });

  it('shows pauses as bands, and names them in as many words as there is room for', async () => {
    const page = await open(stage.url);
    const band = chart(page, NOW).part('band');
    const named = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      return expect.poll(() => band.textContent());
    };
    await (await named(1_280)).toBe('Paused: you were here');
    await (await named(400)).toBe('Paused');
    await (await named(320)).toBe('');
    await page.close();
  });

  it('says when it will begin, and shows no 0, while there is nothing', async () => {
    const page = await open(stage.url);
    const { figure, place, part, times, figures } = chart(page, 'No answer yet');
    expect(await figure.textContent()).toContain('Starts with the first answer');
    expect(await times()).toEqual(['20:50', '20:55', '21:00', 'now']);
    expect((await figures()).join('')).toBe('');
    expect(await part('line').count()).toBe(0);
    expect(await place.count()).toBe(0);
    await page.close();
  });

  it('draws a bar a day, none for a day without figures, and lets one below zero hang', async () => {
    const page = await open(stage.url);
    const { place, part, times, said } = chart(page, 'Points in the last 30 days');
    expect(await part('bars').locator('path').count()).toBe(29);
    expect((await times()).at(-1)).toBe('today');
    await place.focus();
    await page.keyboard.press('Home');
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
    expect(await said.textContent()).toBe('Mon, Oct 26. Points -7, Requests 4');
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
    expect(await said.textContent()).toBe('Sat, Oct 31. Points unknown, Requests 9');
    await page.close();
  });

  it('has a table of a few figures for those who hear it', async () => {
    const page = await open(stage.url);
    const rows = chart(page, NOW).figure.getByRole('row');
    const texts = await rows.allInnerTexts();
    expect(texts[0]).toMatch(/Time\s+Tokens per second/);
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.length).toBeLessThanOrEqual(13);
    expect(texts.at(-1)).toMatch(/^21:05:00\s+42$/);
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    'can be read by everybody, at every width, in the %s theme',
    async (colorScheme) => {
      const page = await open(stage.url, { colorScheme, reducedMotion: 'reduce' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'))
          .toBeLessThanOrEqual(0);
        await expect.poll(() => page.evaluate(BADLY_PLACED), { message: `${width} px` }).toEqual([]);
      }
      await point(chart(page, 'Four of them').place, 0.9);
      const found = await violations(page, undefined, 'document.querySelector("main")');
      expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      await page.close();
    },
  );

  it('changes with the theme and keeps what was looked up', async () => {
    const page = await open(stage.url, { colorScheme: 'light' });
    const { place, part } = chart(page, NOW);
    await place.focus();
    await page.keyboard.press('End');
    const ink = () => page.evaluate("getComputedStyle(document.querySelector('[data-chart=line] circle')).fill");
    const before = await ink();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(ink).not.toBe(before);
    expect(await part('tip').textContent()).toMatch(/^21:05:00/);
    await page.close();
  });
});

describe.skipIf(!chromium)('the charts of a page', () => {
  it('go on under a crosshair that the keys have put there', async () => {
    const node = await startScriptedNode({ samplesPerSecond: 20 });
    const page = await open(node.url);
    const { place, part, said } = chart(page, 'Tokens a second');
    await place.focus();
    await page.keyboard.press('End');
    const told = await said.textContent();
    const x = () => part('crosshair').locator('line').getAttribute('x1');
    const before = Number(await x());
    await expect.poll(async () => Number(await x())).toBeLessThan(before - 5);
    expect(await part('tip').textContent()).toContain(told?.split('.')[0]);
    expect(await said.textContent()).toBe(told);
    await page.close();
    await node.close();
  });

  it('take a new scale when something else is shown', async () => {
    const days = sampleDays.map((day, index) => ({
      ...day,
      points: index === 3 ? 58 : 1,
      spent: index === 3 ? 25 : 1,
    }));
    const node = await startScriptedNode({ days });
    const page = await open(`${node.url}#/earnings`);
    await expect.poll(() => chart(page, 'Points in').figures()).toEqual(['0', '20', '40', '60']);
    await page.getByText('Credits spent').first().click();
    await expect.poll(() => chart(page, 'Credits spent in').figures()).toEqual(['0', '10', '20', '30']);
    await page.close();
    await node.close();
  });

  it('take a new scale when another time is shown', async () => {
    const node = await startScriptedNode();
    const page = await open(node.url);
    const { figures } = chart(page, 'Tokens a second');
    await expect.poll(figures).toEqual(['0', '30', '60', '90']);
    await page.getByText('24 h', { exact: true }).click();
    await expect.poll(figures).toEqual(['0', '20', '40', '60']);
    await page.close();
    await node.close();
  });

  it('wait for the first answer where none was given yet', async () => {
    const idle = samples.map((sample) => ({ ...sample, tokensPerSecond: 0 }));
    const node = await startScriptedNode({ samples: idle });
    const page = await open(node.url);
    expect(await chart(page, 'Tokens a second').figure.textContent()).toContain('Starts with the first answer');
    await page.close();
    await node.close();
  });
});

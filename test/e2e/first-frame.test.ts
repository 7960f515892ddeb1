import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { cookieOfLink } from '../support/owner.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const chromium = findChromium();
let browser: Browser;
let node: QuarryProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let cookie: Awaited<ReturnType<typeof cookieOfLink>>;

const FILES = /\/assets\/.*\.(js|css)$/;
const IN_INDEX = { panel: '#frame > div', sign: '#frame svg' };
const IN_SHELL = { panel: 'div:has(> main)', sign: 'aside img' };

/** Colours and edges of the frame and, where it has a sidebar, the places of its panel and of the sign beside the name. */
function looks(page: Page, { panel, sign }: typeof IN_INDEX, wide: boolean): Promise<unknown> {
  return page.evaluate(`(() => {
    const placeOf = (selector) => {
      const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
      return ${wide} && [x, y, width, height];
    };
    const { backgroundColor, borderTop, borderRadius } = getComputedStyle(document.querySelector('${panel}'));
    return {
      canvas: getComputedStyle(document.body).backgroundColor,
      panel: { backgroundColor, borderTop, borderRadius, place: placeOf('${panel}') },
      sign: placeOf('${sign}'),
    };
  })()`);
}

describe.skipIf(!chromium)('the frame that is painted before any script or style has come', () => {
  beforeAll(async () => {
    if (!chromium) return;
    browser = await launchChromium(chromium);
    folder = await temporaryFolder();
    const flags = ['--role', 'client', '--port', '0', '--data', folder.path, '--bootstrap', '127.0.0.1:9'];
    node = new QuarryProcess(['start', '--headless', ...flags], { QUARRY_SHOW_WELCOME: 'false' });
    const [, link = ''] = await node.printed(/screens\s+(\S+)/);
    cookie = await cookieOfLink(link);
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await folder?.remove();
  });

  it.each([
    { chosen: 'light', system: 'dark', width: 1_280 },
    { chosen: 'dark', system: 'light', width: 1_280 },
    { chosen: 'auto', system: 'dark', width: 1_280 },
    { chosen: 'dark', system: 'light', width: 400 },
  ] as const)(
    'is the real one without content: $chosen where the system is $system, $width pixels wide',
    async ({ chosen, system, width }) => {
      const context = await browser.newContext({ colorScheme: system, viewport: { width, height: 800 } });
      const wide = width > 760;
      await context.addCookies([cookie]);
      await context.addInitScript(`localStorage.setItem('mantine-color-scheme-value', '${chosen}')`);
      const page = await context.newPage();
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      await page.route(FILES, (route) => route.abort());
      await page.goto(cookie.url);
      await page.getByText('Quarry', { exact: true }).waitFor({ state: wide ? 'visible' : 'hidden' });
      const first = await looks(page, IN_INDEX, wide);
      expect(said.filter((line) => !line.includes('ERR_FAILED'))).toEqual([]); // the policy lets all of it pass

      await page.unroute(FILES);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
      expect(await page.locator('#frame').count()).toBe(0);
      expect(first).toEqual(await looks(page, IN_SHELL, wide));
      await context.close();
    },
  );

  it('stays until it is known what there is to show, with a word about a wait', async () => {
    const context = await browser.newContext({ locale: 'de-DE' });
    await context.addCookies([cookie]);
    const page = await context.newPage();
    let answer = () => {};
    const held = new Promise<void>((go) => (answer = go));
    await page.route('**/session', (route) => held.then(() => route.continue()));
    await page.goto(cookie.url);
    await page.getByRole('status').filter({ hasText: 'Verbinde mit Quarry' }).waitFor();
    const first = await looks(page, { panel: 'main', sign: 'aside img' }, true);
    expect(await page.getByRole('link').count()).toBe(0);
    answer();
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    expect(first).toEqual(await looks(page, IN_SHELL, true));
    await context.close();
  });

  it('leaves the styles before those that a page brings along: the later one wins', async () => {
    const context = await browser.newContext();
    await context.addCookies([cookie]);
    const page = await context.newPage();
    await page.goto(`${cookie.url}/#/models`);
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
    const files = () =>
      page.evaluate(
        `[...document.styleSheets].map(({ href }) => /\\/([A-Za-z]+)-[^/]*$/.exec(href ?? '')?.[1]).filter(Boolean)`,
      );
    await expect.poll(files).toContain('Models');
    expect(await files()).toMatchObject({ 0: 'first' });
    await context.close();
  });
});

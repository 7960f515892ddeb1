import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { de } from '../../../src-renderer/i18n/de.ts';
import { en } from '../../../src-renderer/i18n/en.ts';
import type { Texts } from '../../../src-renderer/i18n/texts.ts';
import { type NewcomersWorld, PEBBLE } from './newcomers-world.ts';

/** Milliseconds before the first piece of the download: nothing comes before it is paused, however long that takes. */
const HELD_BACK_MS = 600_000;
/** Pixels; narrower windows have their menu behind a button. */
const PHONE_WIDTH = 760;

/** What the screens say in a language: `welcome.hello.title`. */
type Words = (key: string, values?: Record<string, string>) => string;

function wordsIn(language: 'en' | 'de'): Words {
  const texts: Texts = { en, de }[language];
  return (key, values = {}) => {
    const text = key.split('.').reduce<Texts | string | undefined>((at, part) => (at as Texts)?.[part], texts);
    if (typeof text !== 'string') throw new Error(`There is no text ${key}.`);
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  };
}

/** Expects of the figure with this name, as it is written; a page that has just been opened, or told of a receipt, may not have it yet. */
function expectFigure(page: Page, name: string) {
  const named = page.locator('dt').filter({ hasText: new RegExp(`^${name}$`) });
  const figure = named.locator('xpath=following-sibling::dd[1]');
  return expect.poll(() => figure.textContent());
}

/**
 * A newcomer's whole way, by what a person sees: the welcome, a download, mining, a prompt served to another node, credits, the
 * end of mining. The same in a browser and in the desktop app, on a phone and in German.
 */
export async function newcomersWay(page: Page, world: NewcomersWorld, language: 'en' | 'de' = 'en'): Promise<void> {
  const words = wordsIn(language);
  await welcome(page, words);
  await download(page, world, words);
  await startMining(page, world, words);
  await serve(page, world, words);
  await button(page, words('common.mining.stop')).first().click();
  await button(page, words('common.mining.start')).first().waitFor();
  await expect(world.ask('Anybody there?')).rejects.toMatchObject({
    code: expect.stringMatching(/NO_WORKER|OVERLOADED/),
  });
}

function button(page: Page, name: string) {
  return page.getByRole('button', { name });
}

async function welcome(page: Page, words: Words): Promise<void> {
  await page.getByRole('heading', { name: words('welcome.hello.title') }).waitFor();
  await page.getByRole('textbox', { name: words('welcome.hello.name') }).fill('attic-pc');
  await goOn(page, words('welcome.next'));
  await page.getByRole('heading', { name: words('welcome.hardware.title') }).waitFor();
  await page.getByText(words('welcome.hardware.cpu'), { exact: true }).waitFor();
  await goOn(page, words('welcome.next'));
}

/** The way on is in view wherever one has scrolled to, and so is the way out. */
async function goOn(page: Page, name: string): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  const box = await button(page, name).boundingBox();
  const { height = 0 } = page.viewportSize() ?? {};
  if (height > 0) expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
  await button(page, name).click();
}

async function download(page: Page, world: NewcomersWorld, words: Words): Promise<void> {
  await page.getByRole('heading', { name: words('welcome.model.title') }).waitFor();
  const pebble = page.getByRole('radio', { name: /Pebble/ });
  await pebble.check();
  expect(await pebble.textContent()).toMatch(/ · .+\/s · /);
  world.server.delayMs = HELD_BACK_MS;
  await goOn(page, words('welcome.model.downloadSize', { size: '' }).trim());
  await page.getByRole('heading', { name: words('welcome.start.title') }).waitFor();
  const progress = words('welcome.download.label', { name: PEBBLE });
  await page.getByRole('progressbar', { name: progress }).waitFor({ state: 'attached' });
  await button(page, words('welcome.download.pause')).click();
  await page.getByText(words('welcome.download.state.paused'), { exact: true }).waitFor();
}

/** Four presses, and it mines: by itself, as soon as the model is here. */
async function startMining(page: Page, world: NewcomersWorld, words: Words): Promise<void> {
  await goOn(page, words('welcome.start.action.stopped'));
  await page.getByText(words('welcome.start.armed')).waitFor();
  world.server.delayMs = 0;
  await button(page, words('welcome.download.resume')).click();
  await page.getByRole('heading', { level: 1, name: words('dashboard.title') }).waitFor();
  await button(page, words('common.mining.stop')).first().waitFor();
  const narrow = (page.viewportSize()?.width ?? PHONE_WIDTH + 1) <= PHONE_WIDTH;
  if (narrow) await button(page, words('common.menu.open')).click();
  await page.getByText('attic-pc').filter({ visible: true }).waitFor();
  if (narrow) await page.keyboard.press('Escape');
}

async function serve(page: Page, world: NewcomersWorld, words: Words): Promise<void> {
  await expectFigure(page, words('dashboard.earned.today')).toMatch(/^0/);
  const answer = await world.ask('What is a mesh?');
  expect(answer).toMatchObject({ type: 'done' });
  const request = page
    .getByRole('table', { name: words('dashboard.answers.title') })
    .getByRole('row')
    .nth(1);
  await request.waitFor();
  expect(await request.getAttribute('title')).toBe(PEBBLE);
  expect(await request.textContent()).not.toContain('What is a mesh?');
  await expectFigure(page, words('dashboard.earned.today')).toMatch(/^[1-9]/);
  await expectFigure(page, words('dashboard.computer.served')).toBe('1');
}

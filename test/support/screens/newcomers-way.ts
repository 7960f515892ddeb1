import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type NewcomersWorld, PEBBLE } from './newcomers-world.ts';

/** Milliseconds before the first piece of the download: nothing comes before it is paused, however long that takes. */
const HELD_BACK_MS = 600_000;

/** Expects of the figure with this name, as it is written; a page that has just been opened, or told of a receipt, may not have it yet. */
function expectFigure(page: Page, name: string) {
  const named = page.locator('dt').filter({ hasText: new RegExp(`^${name}$`) });
  const figure = named.locator('xpath=following-sibling::dd[1]');
  return expect.poll(() => figure.textContent());
}

/**
 * A newcomer's whole way, by what a person sees: the welcome, a download, mining, a prompt served to another node, credits, the
 * end of mining. The same in a browser and in the desktop app.
 */
export async function newcomersWay(page: Page, world: NewcomersWorld): Promise<void> {
  await welcome(page);
  await download(page, world);
  await startMining(page);
  await serve(page, world);
  await page.getByRole('button', { name: 'Stop mining' }).first().click();
  await page.getByRole('button', { name: 'Start mining' }).first().waitFor();
  await expect(world.ask('Anybody there?')).rejects.toMatchObject({
    code: expect.stringMatching(/NO_WORKER|OVERLOADED/),
  });
}

async function welcome(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Welcome to Quarry' }).waitFor();
  await page.getByRole('textbox', { name: 'Name of this computer' }).fill('attic-pc');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('heading', { name: 'What is in this computer' }).waitFor();
  await page.getByRole('rowheader', { name: 'Processor' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
}

async function download(page: Page, world: NewcomersWorld): Promise<void> {
  await page.getByRole('heading', { name: 'Choose a model' }).waitFor();
  await page.getByRole('radio', { name: /Pebble/ }).check();
  world.server.delayMs = HELD_BACK_MS;
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('progressbar', { name: `Download of ${PEBBLE}` }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  world.server.delayMs = 0;
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('radio', { name: /Pebble.*On this computer/ }).waitFor();
  await page.getByRole('button', { name: 'Use this one' }).click();
}

async function startMining(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Ready to start' }).waitFor();
  await page.getByRole('button', { name: 'Start mining' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.getByRole('button', { name: 'Stop mining' }).first().waitFor();
  await page.getByText('attic-pc').waitFor();
}

async function serve(page: Page, world: NewcomersWorld): Promise<void> {
  await expectFigure(page, 'Earned today').toMatch(/^0/);
  const answer = await world.ask('What is a mesh?');
  expect(answer).toMatchObject({ type: 'done' });
  const request = page.getByRole('table', { name: 'Last answers' }).getByRole('row').nth(1);
  await request.waitFor();
  expect(await request.getAttribute('title')).toBe(PEBBLE);
  expect(await request.textContent()).not.toContain('What is a mesh?');
  await expectFigure(page, 'Earned today').toMatch(/^[1-9]/);
  await expectFigure(page, 'Requests served').toBe('1');
}

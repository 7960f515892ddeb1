import { decode } from 'jpeg-js';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { cookieOfLink } from '../support/owner.ts';
import { paintedStream, type Yuv } from '../support/painted-video.ts';
import { addPastRecording } from '../support/past-recording.ts';
import { takePictures } from '../support/pictures.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const chromium = findChromium();
const FLAGS = ['start', '--headless', '--role', 'client', '--port', '0', '--bootstrap', '127.0.0.1:9'];
const SIZE = { width: 320, height: 180 };
const ABOUT = { title: 'Three scenes', description: '', surface: 'tab', ...SIZE } as const;
const SECONDS = 64;
/** Something else begins amid the seconds before these; whole colours, that each third of the line shows. */
const SCENES = [21, 43];
const COLOURS: readonly Yuv[] = [
  [150, 90, 60],
  [70, 90, 190],
  [110, 190, 100],
];
const FILM_HEIGHT = 44;
const ALL_MOVED = 2_000;

const sceneAt = (atMs: number) => SCENES.filter((second) => atMs >= 1_000 * second + 500).length;

describe.skipIf(!chromium)('what was to be seen in a recording, in its review', () => {
  let browser: Browser;
  let page: Page;
  let node: QuarryProcess;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let dialog: Locator;
  let line: Locator;

  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '');
    folder = await temporaryFolder();
    const times = Array.from({ length: SECONDS * 2 }, (_, index) => index * 500);
    const paint = (x: number, y: number, atMs: number): Yuv => (x < 40 && y < 40 ? [235, 128, 128] : colourAt(atMs));
    const { bytes } = await paintedStream({ ...SIZE, times, paint });
    const motions = Array.from({ length: SECONDS }, (_, second) => (SCENES.includes(second) ? ALL_MOVED : 3));
    const sound = { microphone: false, system: false };
    await addPastRecording(folder.path, { ...ABOUT, sound }, bytes, motions);
    node = new QuarryProcess([...FLAGS, '--data', folder.path], { QUARRY_SHOW_WELCOME: 'false' });
    const [, link = ''] = await node.printed(/screens\s+(\S+)/);
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    await context.addCookies([await cookieOfLink(link)]);
    page = await context.newPage();
    dialog = page.getByRole('dialog', { name: 'Look through: Three scenes' });
    line = dialog.getByRole('slider', { name: 'Time' });
    await page.goto(`${new URL(link).origin}/#/focus/library`);
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await folder?.remove();
  });

  const open = async () => {
    await page.getByRole('button', { name: 'Look through and cut' }).click();
    await dialog.getByText(/of 1:0[34]\.\d stay/).waitFor();
  };
  const chapters = () => dialog.getByRole('list', { name: 'Chapters' }).getByRole('button');
  const expectAt = (at: string) => expect.poll(() => line.getAttribute('aria-valuetext')).toBe(at);

  it('says in words that its pictures cannot be shown, and shows them when they are asked for again', async () => {
    await page.route('**/strip.jpg', (route) => route.fulfill({ status: 404 }));
    await open();
    await dialog.getByText('The small pictures cannot be shown.').waitFor();
    await page.unroute('**/strip.jpg');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('The small pictures cannot be shown.').waitFor({ state: 'detached' });
    await expect.poll(() => line.locator('img').count()).toBeGreaterThan(5);
  });

  it('shows over the whole line what was on the screen then', async () => {
    for (const [scene, share] of [1 / 6, 1 / 2, 5 / 6].entries())
      await expect.poll(() => seenAt(line, share)).toBe(scene);
    await takePictures(page, 'focus/film', [1_280]);
  });

  it('has its chapters, each with its picture, and goes to them by a click and by keys', async () => {
    await expect.poll(() => chapters().allTextContents()).toEqual(['0:00', '0:21', '0:43']);
    expect(await Promise.all((await chapters().all()).map((chapter) => seenAt(chapter, 0.5)))).toEqual([0, 1, 2]);
    await chapters().nth(1).click();
    await expectAt('0:21.0');
    expect(await chapters().nth(1).getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('n');
    await expectAt('0:43.0');
    await page.keyboard.press('p');
    await expectAt('0:21.0');
    await line.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('n');
    await expectAt('0:21.0');
  });

  it('shows as cut and covered what will be', async () => {
    await line.focus();
    for (const key of ['i', 'n', 'o', 'x']) await page.keyboard.press(key);
    await chapters().nth(1).getByText('Cut').waitFor();
    await page.keyboard.press('Control+z');
    await chapters().nth(1).getByText('Cut').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Cover an area' }).click();
    await expect.poll(() => blackIn(line)).toBeGreaterThan(0.02); // a fifth of its width and height
    await takePictures(page, 'focus/film-covered', [1_280]);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => blackIn(line)).toBeLessThan(0.002);
  });

  it('on a phone, Escape closes one thing after the other', async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 400, height: 800 });
    const sheet = page.getByRole('dialog', { name: 'Recording' });
    await page.getByRole('row', { name: /Three scenes/ }).click();
    await sheet.waitFor();
    await open();
    await expect.poll(() => chapters().count()).toBe(3);
    await takePictures(page, 'focus/film', [400]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await sheet.isVisible()).toBe(true);

    await sheet.getByRole('button', { name: 'Edit', exact: true }).click();
    await sheet.getByRole('textbox', { name: 'Task' }).waitFor();
    await page.keyboard.press('Escape');
    await sheet.getByRole('textbox', { name: 'Task' }).waitFor({ state: 'detached' });
    expect(await sheet.isVisible()).toBe(true);

    await sheet.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete this recording?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Delete this recording?' }).waitFor({ state: 'detached' });
    expect(await sheet.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });
});

function colourAt(atMs: number): Yuv {
  return COLOURS[sceneAt(atMs)] ?? [0, 0, 0];
}

/** Of what is seen on the screen there. */
const seen = async (place: Locator) => decode(await place.screenshot({ type: 'jpeg', quality: 95 }));

/** The share of black pixels in the pictures of a line. */
async function blackIn(place: Locator): Promise<number> {
  const { width, data } = await seen(place);
  const pixels = data.subarray(0, 4 * width * FILM_HEIGHT);
  let black = 0;
  for (let at = 0; at < pixels.length; at += 4) if (Math.max(...pixels.subarray(at, at + 3)) < 24) black++;
  return (4 * black) / pixels.length;
}

/** Which scene a piece of the screen shows; undefined for none. @param share of its width */
async function seenAt(place: Locator, share: number): Promise<number | undefined> {
  const { width, data } = await seen(place);
  const from = 4 * ((FILM_HEIGHT / 2) * width + Math.round(share * width));
  const [red = 0, green = 0, blue = 0] = data.subarray(from, from + 3);
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 40) return undefined;
  return [green, red, blue].indexOf(Math.max(red, green, blue));
}

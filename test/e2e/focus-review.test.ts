/** @module-tag long */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWholeChromium, launchChromium } from '../support/chromium.ts';
import { cookieOfLink } from '../support/owner.ts';
import { seeAll } from '../support/painted-video.ts';
import { takePictures } from '../support/pictures.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { readWebm } from '../support/webm.ts';

const chromium = findWholeChromium();
const FLAGS = ['start', '--headless', '--role', 'client', '--bootstrap', '127.0.0.1:9'];

describe.skipIf(!chromium)('a task, recorded and looked through', () => {
  let browser: Browser;
  let page: Page;
  let node: QuarryProcess;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let port = '0';

  /** At the port of the one before. @returns the link to its screens */
  const startNode = async (): Promise<string> => {
    node = new QuarryProcess([...FLAGS, '--port', port, '--data', folder.path], { QUARRY_SHOW_WELCOME: 'false' });
    const [, link = ''] = await node.printed(/screens\s+(\S+)/);
    port = new URL(link).port;
    return link;
  };

  beforeAll(async () => {
    if (!chromium) return;
    browser = await launchChromium(chromium, ['--auto-accept-this-tab-capture']);
    folder = await temporaryFolder();
    const link = await startNode();
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    await context.addCookies([await cookieOfLink(link)]);
    // Nobody is there to choose what is shared: it is this very page.
    await context.addInitScript(`{
      const share = navigator.mediaDevices?.getDisplayMedia?.bind(navigator.mediaDevices);
      if (share) navigator.mediaDevices.getDisplayMedia = (options) => share({ ...options, preferCurrentTab: true });
    }`);
    page = await context.newPage();
    await page.goto(`${new URL(link).origin}/#/focus`);
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await folder?.remove();
  });

  it('says first what is recorded, until somebody has understood it', async () => {
    await page.getByRole('heading', { name: 'Before you record' }).waitFor();
    await page.getByRole('button', { name: 'Understood' }).click();
    await page.getByRole('heading', { name: 'Before you record' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Record your work' }).waitFor();
    expect(await page.getByText('Before you record').count()).toBe(0);
  });

  it('is chosen among the suggestions, by what it is about, and stays with the recording', async () => {
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('columnheader', { name: 'Kind' }).waitFor();
    await page.getByLabel('Search tasks').fill('invoices');
    const row = page.getByRole('row', { name: /^Check invoices/ });
    await row.getByRole('cell', { name: 'Suggested · Office' }).waitFor();
    expect((await row.getByRole('cell').last().textContent())?.trim()).toBe('0'); // as its details say it
    await page.getByRole('button', { name: 'Record this' }).click();
    await page.getByRole('button', { name: 'Choose what to record' }).click();
    const timer = page.getByRole('timer');
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return Number(((await timer.textContent()) ?? '').split(':')[1] ?? 0);
      })
      .toBeGreaterThanOrEqual(9);
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('link', { name: 'Library' }).click();
    const details = page.getByRole('region', { name: 'Check invoices against their orders' });
    await details.getByText('Suggested by Quarry').waitFor();
    await details.getByText('Nothing has left this computer.').waitFor();
  });

  it('is put in other words, and back again', async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Task').fill(' ');
    await page.keyboard.press('Enter');
    await page.getByText('A recording has a title.').waitFor();
    await page.getByLabel('Task').fill('Check three invoices');
    await page.keyboard.press('Enter');
    const details = page.getByRole('region', { name: 'Check three invoices' });
    await details.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: 'Check invoices against their orders' }).waitFor();
  });

  /** Of how many seconds the video is, and how many of them are cut, as the review says it. */
  const lengths = async () => {
    const text = await page.getByText(/^[\d:.]+ of [\d:.]+ stay\.$/).textContent();
    const [kept = Number.NaN, all = Number.NaN] = (text?.match(/[\d:.]*\d/g) ?? []).map((length) =>
      length.split(':').reduce((sum, part) => 60 * sum + Number(part), 0),
    );
    return { all, cut: all - kept };
  };
  const expectCut = (seconds: number) => expect.poll(async () => (await lengths()).cut).toBeCloseTo(seconds, 0);

  /** Picture, tools and export, without scrolling, at the sizes of a laptop and a phone. */
  const isAllInSight = async () => {
    const dialog = page.getByRole('dialog', { name: /^Look through:/ });
    for (const size of [
      { width: 1_280, height: 800 },
      { width: 400, height: 800 },
    ]) {
      await page.setViewportSize(size);
      await expect.poll(async () => (await dialog.locator('video').boundingBox())?.height).toBeGreaterThan(150);
      const scrolled = () =>
        dialog.evaluate((element) => {
          const { scrollHeight, clientHeight } = element as unknown as Record<string, number>;
          return (scrollHeight ?? 0) - (clientHeight ?? 0);
        });
      await expect.poll(scrolled).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
  };

  it('shows at once how what stays is exported, however much there is above', async () => {
    await page.setViewportSize({ width: 1_280, height: 640 });
    await page.getByRole('button', { name: 'Look through and cut' }).click();
    await expect.poll(async () => (await lengths()).all).toBeGreaterThanOrEqual(9);
    await expectCut(0);
    await page.getByText('At no moment most of the picture changes: there are no chapters.').waitFor();
    const dialog = page.getByRole('dialog', { name: /^Look through:/ });
    const endOf = async (place: Locator) => {
      const { y = 0, height = 0 } = (await place.boundingBox()) ?? {};
      return y + height;
    };
    await expect
      .poll(async () => (await endOf(dialog)) - (await endOf(dialog.getByRole('button', { name: 'Export' }))))
      .toBeGreaterThan(0);
    await takePictures(page, 'focus/review', [1_280]);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  it('is cut with keys alone, undone, done again, and saved without what was cut', async () => {
    const pictures = page.getByRole('slider', { name: 'Time' }).locator('img');
    await expect
      .poll(() => pictures.first().evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Home', 'ArrowRight', 'ArrowRight', 'i', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'o', 'x');
    await expectCut(3);
    await press('Control+z');
    await expect.poll(() => page.getByRole('button', { name: 'Redo' }).isEnabled()).toBe(true);
    await press('Control+y');
    await expectCut(3);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('Check invoices against their orders.webm');
    expect((await stat(await file.path())).size).toBeGreaterThan(10_000);
    await page.getByText(/^Saved among the downloads/).waitFor();
  });

  it('is saved as MP4 and without its title, both chosen by keys, which do nothing to the video', async () => {
    const at = () => page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuetext');
    const before = await at();
    await page.getByRole('radio', { name: 'WebM' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.getByRole('radio', { name: 'MP4' }).isChecked()).toBe(true);
    await page.getByText('Plays in browsers, VLC and mpv, not in QuickTime.').waitFor();
    const metadata = page.getByRole('checkbox', { name: 'Title, description and date in the file' });
    await metadata.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => metadata.isChecked()).toBe(false);
    const dialog = page.getByRole('dialog', { name: /^Look through:/ });
    await page.keyboard.press('Control+z');
    await expectCut(0);
    await page.keyboard.press('Control+y');
    await expectCut(3);
    expect([await at(), await dialog.getByRole('button', { name: 'Play' }).count()]).toEqual([before, 1]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^recording-[0-9a-f]{8}\.mp4$/); // it does not tell the title either
    const bytes = await readFile(await file.path());
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    const { format, tags } = await readWebm(bytes);
    expect([format, tags.title]).toEqual(['MP4', undefined]);
    let pictures = 0;
    await seeAll(bytes, () => pictures++);
    expect(pictures).toBeGreaterThan(10);
  });

  it('stays open when the window gets narrow, and is as it was when opened again', async () => {
    const dialog = page.getByRole('dialog', { name: /^Look through:/ });
    await page.setViewportSize({ width: 400, height: 800 });
    await page.getByRole('region', { name: 'Check invoices against their orders' }).waitFor({ state: 'detached' });
    await expectCut(3);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByRole('region', { name: 'Check invoices against their orders' }).waitFor();
    await expectCut(3);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Look through and cut' }).click();
    await expectCut(3);
  });

  it('is exported with its areas covered in the file, where they were moved to by keys', async () => {
    await page.getByRole('button', { name: 'Cover an area' }).click();
    const area = page.getByRole('button', { name: /^Area 1:/ });
    await area.focus();
    const before = await area.boundingBox();
    for (let times = 0; times < 5; times++) await page.keyboard.press('ArrowRight');
    expect((await area.boundingBox())?.x).toBeGreaterThan((before?.x ?? 0) + 10);
    await isAllInSight();
    await takePictures(page, 'focus/review-area');
    const downloads: string[] = [];
    page.on('download', (file) => downloads.push(file.suggestedFilename()));
    await page.getByRole('button', { name: 'Export' }).dblclick(); // a double click begins it, and calls nothing off
    await page.getByText(/^Being made:/).waitFor();
    await expect.poll(() => exportsOf(folder.path)).toHaveLength(1);
    const redo = page.getByRole('button', { name: 'Redo' });
    await page.keyboard.press('Control+z');
    await expect.poll(() => redo.isEnabled()).toBe(true);
    await page.keyboard.press('Control+y');
    await expect.poll(() => redo.isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped. Nothing was saved.').waitFor();
    await expect.poll(() => exportsOf(folder.path)).toEqual([]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const covered: boolean[] = [];
    await seeAll(await readFile(await (await saved).path()), ({ width, height, at }) => {
      covered.push(at(width / 2, height / 2)[0] < 24);
    });
    expect(covered).toContain(true);
    expect(downloads).toHaveLength(1);
    await area.focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => area.count()).toBe(0);
    // What had the focus is gone: the page has it.
    await page.keyboard.press('Control+z');
    await area.waitFor();
    await page.keyboard.press('Control+y');
    await expect.poll(() => area.count()).toBe(0);
    await page
      .getByRole('dialog', { name: /^Look through:/ })
      .getByText(/Draw on the picture/)
      .click();
    await page.keyboard.press('Control+z');
    await area.waitFor();
  });

  it('says of an export that ends with the node that nothing was saved, and shows the video again once the node is there', async () => {
    const dialog = page.getByRole('dialog', { name: /^Look through:/ });
    const video = dialog.locator('video');
    const figure = (name: 'currentTime' | 'readyState') =>
      video.evaluate((element, key) => (element as unknown as Record<string, number>)[key] ?? 0, name);
    await dialog.getByRole('slider', { name: 'Time' }).press('Home');
    for (let seconds = 0; seconds < 5; seconds++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => figure('currentTime')).toBe(5);
    const before = await video.getAttribute('src');
    await dialog.getByRole('button', { name: 'Export' }).click();
    await dialog.getByText(/^Being made:/).waitFor();
    await node.stop('SIGKILL');
    await dialog.getByText(/^Nothing was saved\. Export again once Quarry is there/).waitFor();
    // It has kept what it read before by this way: it has to read anew.
    await video.evaluate((element) => {
      (element as unknown as { src: string }).src += '?anew';
    });
    await dialog.getByText('The video cannot be read now. It is tried again.').waitFor();
    await takePictures(page, 'focus/review-away', [400, 1_280]);
    await page.context().addCookies([await cookieOfLink(await startNode())]);
    await dialog.getByText('The video cannot be read now. It is tried again.').waitFor({ state: 'detached' });
    await expect.poll(() => figure('readyState')).toBeGreaterThan(1);
    expect(await figure('currentTime')).toBe(5);
    expect(await video.getAttribute('src')).not.toBe(before);
    await dialog.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => figure('currentTime')).toBeGreaterThan(5.2);
    await dialog.getByRole('button', { name: 'Pause' }).click();
  });

  it('is played on where it was when the way to it ends, and waits for a person when no other is one', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: 'Check invoices against their orders' })
      .getByRole('button', { name: 'Play' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Check invoices against their orders' });
    const video = dialog.locator('video');
    const seconds = () => video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime);
    await expect.poll(seconds).toBeGreaterThan(1);
    const videos = '**/focus/video/*';
    // So slowly that the last of its tries comes later than ten seconds after it was played.
    await page.route(videos, async (route) => {
      await setTimeout(1_000);
      await route.fulfill({ status: 404 });
    });
    await video.evaluate((element) => {
      (element as unknown as { src: string }).src += '?anew';
    });
    await dialog.getByText('The video cannot be read now. It is tried again.').waitFor();
    await dialog.getByText('The video cannot be read.').waitFor();
    await page.unroute(videos);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(seconds).toBeGreaterThan(1);
    expect(await video.evaluate((element) => (element as unknown as { paused: boolean }).paused)).toBe(false);
    await dialog.getByText(/^The video cannot be read/).waitFor({ state: 'detached' });
  });
});

/** What a node has made of its recordings for somebody to take, done or not. */
async function exportsOf(data: string): Promise<string[]> {
  const files = await readdir(join(data, 'focus'), { recursive: true });
  return files.filter((name) => name.includes('export.'));
}

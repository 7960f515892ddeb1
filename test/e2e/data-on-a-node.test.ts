import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { cookieOfLink } from '../support/owner.ts';
import { takePictures } from '../support/pictures.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const chromium = findChromium();

/** Twenty seconds in which the picture changes twice. @returns whether there is a program that makes them */
function makeVideo(path: string): boolean {
  const scenes = ['testsrc2', 'mandelbrot'].flatMap((name) => [
    '-f',
    'lavfi',
    '-t',
    '10',
    '-i',
    `${name}=s=320x240:r=10`,
  ]);
  const how = ['-filter_complex', '[0:v][1:v]concat', '-c:v', 'libvpx', '-g', '20', '-deadline', 'realtime'];
  try {
    execFileSync('ffmpeg', ['-v', 'error', ...scenes, ...how, path]);
    return true;
  } catch (error) {
    process.stderr.write(`\n!!! skipped: no ffmpeg that makes a video. ${String(error)}\n\n`);
    return false;
  }
}

/** A real node that has no clips yet, and a browser. */
describe.skipIf(!chromium)('the page of data of a node', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let node: QuarryProcess;
  let browser: Browser;
  let page: Page;
  let url: string;
  let hasVideo = false;
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = await temporaryFolder();
    const args = ['start', '--headless', '--json', '--port', '0', '--bootstrap', '127.0.0.1:9'];
    const videos = join(folder.path, 'videos');
    await mkdir(videos);
    hasVideo = makeVideo(join(videos, 'Birds in a garden.webm'));
    const sources = { QUARRY_DATA_FOLDERS: videos, QUARRY_DATA_SOURCES: 'folder' };
    const env = { QUARRY_SHOW_WELCOME: 'false', QUARRY_MODELS_FROM_PEERS: 'false', ...sources };
    node = new QuarryProcess([...args, '--data', join(folder.path, 'data')], env);
    const [, link = ''] = await node.printed(/"screens": "([^"]+)"/);
    const cookie = await cookieOfLink(link);
    ({ url } = cookie);
    browser = await launchChromium(chromium as string);
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.context().addCookies([cookie]);
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await folder?.remove();
  });

  it.each([
    ['', 'No video yet'],
    ['/find', 'Choose videos yourself'],
    ['/library', 'No clip yet'],
    ['/submissions', 'No submission yet'],
    ['/set', 'No file yet'],
  ])('says at «%s» what will be there', async (place, words) => {
    await page.goto(`${url}/#/data${place}`);
    await page.getByText(words, { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('keeps what was taken down over a restart of the page, and takes it back', async () => {
    await page.goto(`${url}/#/data/set`);
    await page.getByRole('button', { name: 'Take a video down' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: /^The video/ }).fill('File:Ball.webm');
    await dialog.getByRole('textbox', { name: 'Why' }).fill('Its author wants it out.');
    await dialog.getByRole('button', { name: 'Take it down' }).click();
    await page.getByRole('button', { name: 'Undo: File:Ball.webm' }).waitFor();
    await page.reload();
    await page.getByText(/Its author wants it out\./).waitFor();
    await page.getByRole('button', { name: 'Undo: File:Ball.webm' }).click();
    await page.getByText('Nothing is taken down').waitFor();
    expect(complaints).toEqual([]);
  });

  it('makes a clip of an own video, which is played, described and exported', async ({ skip }) => {
    skip(!hasVideo, 'ffmpeg is not here, or cannot write VP8');
    await page.goto(`${url}/#/data`);
    await page.getByRole('checkbox', { name: 'Own folders' }).check();
    await page.getByRole('textbox', { name: 'Topic' }).fill('birds');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('row', { name: /Birds in a garden.*Done/ }).waitFor();
    await page.goto(`${url}/#/data/library`);
    const details = page.getByRole('region', { name: 'Birds in a garden' });
    await details.waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("main img")?.naturalWidth ?? 0')).toBeGreaterThan(0);
    const played =
      '(async () => { const video = document.querySelector("main video"); await video.play(); return video.videoWidth; })()';
    expect(await page.evaluate(played)).toBe(320);
    await takePictures(page, 'data/real-library', [1_280]);
    await details.getByRole('button', { name: 'Edit' }).click();
    await details.getByRole('textbox', { name: 'Description' }).fill('A pattern of many colours moves.');
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('Written by you').waitFor();
    await page.goto(`${url}/#/data/set`);
    await page.getByRole('button', { name: 'Export all that waits' }).click();
    await page.getByText(/\d files? (was|were) written\./).waitFor();
    await takePictures(page, 'data/real-set', [1_280]);
    expect(complaints).toEqual([]);
  });
});

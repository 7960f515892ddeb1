import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWholeChromium } from '../support/chromium.ts';
import { FocusWorld } from '../support/focus-world.ts';
import { takePictures } from '../support/pictures.ts';

const chromium = findWholeChromium();
let world: FocusWorld;

const picture = (name: string) => takePictures(world.page, `focus/${name}`);

/** What is pulled out, or not shared any more: the browser says so by an event. */
async function end(stream: 'microphone' | 'screenShared'): Promise<void> {
  await world.page.evaluate(`for (const track of ${stream}.getTracks()) {
    track.stop();
    track.dispatchEvent(new Event('ended'));
  }`);
}

/** Browsers tell another picture at first than they record then: until one is seen (`tellsWhatIsSeen`), or all the time. */
const TELLS_ANOTHER_HEIGHT = `{
  const { getSettings } = MediaStreamTrack.prototype;
  MediaStreamTrack.prototype.getSettings = function () {
    const isSeen = globalThis.tellsWhatIsSeen && document.querySelector('video')?.readyState > 1;
    return { ...getSettings.call(this), ...(!isSeen && { height: 800 }) };
  };
}`;

/** A length of so many seconds at least, as a pattern: on a busy machine a recording gets longer than a test waits for. @param least of one digit */
const lengthFrom = (least: number) => `(0:(0[${least}-9]|[1-5]\\d)|[1-9]\\d?:\\d\\d)`;

/** Opens the details of a recording in the library. */
async function detailsOf(title: string): Promise<Locator> {
  await world.page.getByRole('link', { name: 'Library' }).click();
  const region = world.page.getByRole('region', { name: title });
  await region.getByText('It is as it was recorded.').waitFor();
  return region;
}

describe.skipIf(!chromium)('recording in a real browser', () => {
  beforeAll(async () => {
    world = await FocusWorld.open(chromium ?? '');
  });

  afterAll(() => world?.close());

  it('says what is missing where nobody said what is going to be done', async () => {
    const title = world.page.getByLabel('What are you going to do?');
    await title.fill('  ');
    await world.page.getByRole('button', { name: 'Choose what to record' }).click();
    await world.page.getByText('Say first what you are going to do.').waitFor();
    expect(await title.and(world.page.locator(':focus')).count()).toBe(1);
    await picture('no-title');
    await title.fill('Something');
    await expect.poll(() => world.page.getByText('Say first what').count()).toBe(0);
    await title.fill('');
  });

  it('has the list of tasks as one stop of the keyboard, with arrows, Home and End in it', async () => {
    const { page } = world;
    const inSight = page.locator(':focus');
    await page.getByRole('option').first().waitFor();
    await page.getByLabel('Search tasks').focus();
    await page.keyboard.press('Tab');
    const [first, second, ...others] = await page.getByRole('option').all();
    const last = others.at(-1);
    expect(others.length).toBeGreaterThan(30);
    for (const [key, task] of [
      ['ArrowDown', second],
      ['ArrowUp', first],
      ['End', last],
      ['Home', first],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => task?.and(inSight).count()).toBe(1);
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => second?.getAttribute('aria-selected')).toBe('true');
    await picture('task-chosen');
    await page.keyboard.press('Tab');
    await page.getByRole('switch', { name: 'Record the microphone' }).and(inSight).waitFor();
    await page.getByRole('button', { name: 'Another task' }).click();
  });

  it('records this page, counts keys, and says in the library what the rules found', async () => {
    await picture('form');
    await world.page.evaluate(TELLS_ANOTHER_HEIGHT);
    await world.begin('Press some keys');
    await world.seconds(6);
    await world.page.getByRole('region', { name: 'Recording' }).getByLabel('What is being recorded').waitFor();
    expect(await world.page.getByText('are not counted there').count()).toBe(0);
    await picture('recording');
    await world.page.getByRole('link', { name: 'Models' }).click(); // it goes on while another page is open
    await world.page.getByRole('link', { name: 'Focus' }).click();
    await world.seconds(8);
    await world.finish();
    const saved = world.page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^Saved: Press some keys, ${lengthFrom(8)}`) });
    await saved.waitFor();
    await picture('saved');
    await saved.getByRole('link', { name: 'Show it' }).click();
    const details = world.page.getByRole('region', { name: 'Press some keys' });
    await expect.poll(() => saved.count()).toBe(0);
    await details.getByText('It is as it was recorded.').waitFor();
    await details.getByText(/at least 60 are wanted/).waitFor();
    await details.getByText('A page of the browser').waitFor();
    await details.getByRole('button', { name: 'Play' }).click();
    const video = world.page.getByRole('dialog', { name: 'Press some keys' }).locator('video');
    await expect
      .poll(() => video.evaluate((element) => (element as unknown as { duration: number }).duration))
      .toBeGreaterThan(7);
    await expect
      .poll(() => video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime))
      .toBeGreaterThan(1);
    expect((await video.boundingBox())?.width).toBeGreaterThan(1_000); // the page has 1,280 pixels
    await picture('played');
    await world.page.keyboard.press('Escape');
    await video.waitFor({ state: 'detached' });
    await details.getByText('1280 × 720').waitFor(); // as it is in the video, whatever the browser told at first
  });

  it('loses nothing when the node is killed amid it, and ends at the one that was started then', async () => {
    await world.page.getByRole('link', { name: 'Record' }).click();
    await world.begin('Outlive the node');
    await world.page.getByRole('link', { name: 'Models' }).click();
    await world.node.stop('SIGKILL');
    await world.page.getByText('No connection to Quarry.').waitFor();
    const header = world.page.locator('header');
    await header.getByRole('button', { name: 'Pause' }).click(); // nobody has to be recorded because Quarry is away
    const chip = header.getByRole('button', { name: /^Paused/ });
    await chip.locator('svg').click(); // it shows that it opens something
    await picture('menu');
    await world.page.getByRole('menuitem', { name: 'Go on' }).click();
    // Everything that needs the node is switched off by then, as other pages show.
    await world.page.getByRole('link', { name: 'Models' }).click();
    await world.page.locator('fieldset:disabled').waitFor({ state: 'attached' });
    await world.page.getByRole('link', { name: 'Focus Recording' }).click();
    await world.page.getByText(/cannot be reached/).waitFor();
    await world.page.getByText('It stays on this computer.').waitFor();
    expect(await world.page.getByText('on its disk').count()).toBe(0);
    const panel = world.page.getByRole('region', { name: 'Recording', exact: true });
    for (const name of ['Finish', 'Forget the last minute']) {
      expect(await panel.getByRole('button', { name }).isEnabled()).toBe(true);
    }
    await panel.getByRole('button', { name: 'Pause' }).click();
    await panel.getByText('Paused: nothing of this is recorded').waitFor();
    await picture('paused');
    await panel.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => panel.getByText('nothing of this is recorded').count()).toBe(0);
    await picture('away');
    await world.startNode();
    await world.page.getByText('It stays on this computer, and is on its disk').waitFor();
    await world.seconds(8);
    await world.finish();
    await world.page.getByRole('link', { name: 'Library' }).click();
    const details = world.page.getByRole('region', { name: 'Outlive the node' });
    await details.getByText('It is as it was recorded.').waitFor();
    await details.getByText(new RegExp(`^${lengthFrom(7)}$`)).waitFor();
  });

  it('forgets the last minute at a key, wherever in the app, and pauses', async () => {
    await world.page.getByRole('link', { name: 'Record' }).click();
    await world.begin('Not for anybody');
    await world.page.getByRole('link', { name: 'Models' }).click();
    await world.page.keyboard.press('Control+Shift+Backspace');
    const header = world.page.locator('header');
    await header.getByRole('button', { name: 'Paused 0:00' }).waitFor();
    await world.page.getByRole('link', { name: 'Focus' }).click();
    await world.page.getByText(/^0:\d\d are forgotten/).waitFor();
    await world.page.getByRole('link', { name: 'Models' }).click();
    await header.getByRole('button', { name: 'Paused 0:00' }).click();
    await world.page.getByRole('menuitem', { name: 'Finish' }).click();
    await world.page.getByRole('link', { name: 'Focus' }).click();
    await world.page.getByText('All of it was forgotten: nothing was kept.').waitFor();
    expect(await world.page.getByText(/^Saved:/).count()).toBe(0);
    await world.page.getByRole('link', { name: 'Library' }).click();
    await world.page
      .getByText(/Nothing was recorded yet|Outlive the node/)
      .first()
      .waitFor();
    expect(await world.page.getByRole('row', { name: /Not for anybody/ }).count()).toBe(0);
  });

  it('goes on without a microphone that is pulled out, and ends when nothing is shared any more; both in words', async () => {
    await world.page.getByRole('link', { name: 'Record' }).click();
    await world.page.getByRole('switch', { name: 'Record the microphone' }).check();
    await world.page.evaluate('tellsWhatIsSeen = true');
    await world.page.evaluate('delete MediaStreamTrack.prototype.getCaptureHandle'); // as where another program is recorded
    await world.begin('Talk while you work');
    await world.page.getByText('keys and mouse are not counted there').waitFor();
    await world.page.getByText('A page of the browser and the microphone.').waitFor();
    await end('microphone');
    await world.page.getByText('The microphone is gone. The recording goes on without it.').waitFor();
    await world.page.getByText('A page of the browser and no sound.').waitFor();
    await picture('no-microphone');
    await world.seconds(6);
    await end('screenShared');
    await world.page.getByText('It ended, because nothing was shared any more.').waitFor();
    const region = await detailsOf('Talk while you work');
    await region.getByText('Microphone', { exact: true }).waitFor(); // for a part of it
    await region.getByText('1280 × 720').waitFor(); // as it was seen when the recording began
    await region.getByText('as far as the picture tells: keys and mouse were not counted.').waitFor();
    await region.getByText(new RegExp(`^${lengthFrom(6)}$`)).waitFor();
  });

  it('ends in words when the drive is full, with everything until then', async () => {
    await world.page.getByRole('link', { name: 'Record' }).click();
    await world.begin('Fill the drive');
    await world.page.route('**/focus/chunks?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), ended: 'disk' } });
    });
    await world.page.getByText('It ended: the drive is nearly full.').waitFor();
    await world.page.unroute('**/focus/chunks?*');
    await world.page.getByRole('button', { name: 'Keep as it is' }).click(); // the node was not asked to end it
    await detailsOf('Fill the drive');
  });

  it('offers what was recorded when the page was closed amid it, and keeps it as it is', async () => {
    await world.page.getByRole('link', { name: 'Record' }).click();
    await world.begin('Outlive the page');
    const first = world.page;
    await world.openPage();
    await world.page.getByText('«Outlive the page» is being recorded in another window').waitFor();
    await first.close(); // ten seconds later the node takes it for gone
    await world.page.getByText('Interrupted').first().waitFor();
    await picture('interrupted');
    await world.page.getByRole('button', { name: 'Go on' }).click();
    await world.seconds(6);
    await world.page.close();
    await world.node.stop('SIGKILL');
    await world.startNode();
    await world.openPage();
    await world.page.getByRole('button', { name: 'Keep as it is' }).click();
    await world.page.getByRole('link', { name: 'Library' }).click();
    const details = world.page.getByRole('region', { name: 'Outlive the page' });
    await details.getByText('It is as it was recorded.').waitFor();
    await details.getByRole('button', { name: 'Delete' }).click();
    await world.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => world.page.getByRole('row', { name: /Outlive the page/ }).count()).toBe(0);
  });
});

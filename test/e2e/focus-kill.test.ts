import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Recording } from '../../src-preload/contract/focus.ts';
import { findWholeChromium } from '../support/chromium.ts';
import { FocusWorld } from '../support/focus-world.ts';
import { ROUNDS } from '../support/rounds.ts';

/** In each round the node is killed, and the page. */
const KILLS = 2 * ROUNDS;
/** Of those that the recorder of a page gives out, one each second: the one that is handed over when it is killed, and one that came meanwhile. */
const MOST_LOST_CHUNKS = 2;
/** The clock goes before there is a first picture, and after the last: one that changes each second at the least, and is not drawn at once. */
const MOST_UNSEEN_MS = 2_000;
const MOST_WRONG_MS = 50;

const chromium = findWholeChromium();
let world: FocusWorld;
let isProbed = false;

const chance = (ms: number) => Math.floor(Math.random() * ms);

/** The length of a video as ffprobe finds it; undefined where there is none. */
function probed(file: string): number | undefined {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file];
  try {
    return 1_000 * Number(execFileSync('ffprobe', args, { encoding: 'utf8' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** The chunks that a page gave out until it was closed without a word, as when it is killed: while it was not behind. */
async function killPage(): Promise<number[]> {
  const waiting = async () => (await world.chunksGiven()).length - 1 - world.lastTaken;
  await expect.poll(waiting).toBeLessThan(MOST_LOST_CHUNKS);
  const given = await world.chunksGiven();
  await world.page.close();
  return given;
}

/** What the browser takes the length of its video for, once it has played a little. Milliseconds. */
async function played(title: string): Promise<number> {
  await world.page.getByRole('link', { name: 'Library' }).click();
  const details = world.page.getByRole('region', { name: title });
  await details.getByRole('button', { name: 'Play' }).click();
  const video = world.page.getByRole('dialog', { name: title }).locator('video');
  const figure = (name: 'currentTime' | 'duration') =>
    video.evaluate((element, key) => (element as unknown as Record<string, number>)[key] ?? 0, name);
  await expect.poll(() => figure('currentTime')).toBeGreaterThan(0.5);
  const length = 1_000 * (await figure('duration'));
  await world.page.keyboard.press('Escape');
  await video.waitFor({ state: 'detached' });
  return length;
}

describe.skipIf(!chromium)('a recording in a real browser', () => {
  beforeAll(async () => {
    world = await FocusWorld.open(chromium ?? '');
  });

  afterAll(async () => {
    await world?.close();
    if (!isProbed)
      process.stderr.write('\n!!! ffprobe is not there: the length of videos was asked of the browser alone.\n');
  });

  it(`loses no more than two chunks of a second when node and page are killed amid it, ${KILLS} times in all, and plays`, {
    tags: ['long'],
    timeout: 1_200_000,
  }, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const title = `Round ${round}`;
      await world.page.getByRole('link', { name: 'Record', exact: true }).click();
      await world.begin(title);
      await sleep(chance(1_500));
      await world.node.stop('SIGKILL');
      await sleep(chance(1_500));
      await world.startNode();
      await world.page.getByText('No connection to Quarry.').waitFor({ state: 'detached' });
      await world.page.getByText(/cannot be reached|are being handed over/).waitFor({ state: 'detached' });
      await world.seconds(6);
      await sleep(chance(3_000));
      const given = await killPage();
      await world.openPage();
      await world.page.getByRole('button', { name: 'Keep as it is' }).click();
      await world.page.getByText('Interrupted').waitFor({ state: 'detached' });

      const [recording] = (await world.told('list', title)) as Pick<Recording, 'id' | 'activeMs' | 'bytes'>[];
      if (!recording) throw new Error(`${title} is not there.`);
      const { id, activeMs, bytes } = recording;
      expect(bytes).toBeGreaterThanOrEqual(sum(given.slice(0, -MOST_LOST_CHUNKS)));
      expect(await world.told('check', id)).toMatchObject({ brokenAt: null });
      const file = join(world.folder, `${round}.webm`);
      const { durationMs } = (await world.told('export', id, file)) as { durationMs: number };
      expect(Math.abs(durationMs - activeMs)).toBeLessThanOrEqual(MOST_UNSEEN_MS);
      expect(Math.abs((await played(title)) - durationMs)).toBeLessThanOrEqual(MOST_WRONG_MS);
      const ms = probed(file);
      isProbed = ms !== undefined;
      if (ms !== undefined) expect(Math.abs(ms - durationMs)).toBeLessThanOrEqual(MOST_WRONG_MS);
    }
  });
});

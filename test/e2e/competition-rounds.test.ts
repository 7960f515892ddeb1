import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { noScrollingSideways, noViolations } from '../support/page-checks.ts';
import { takePictures } from '../support/pictures.ts';
import type { ScriptedNode } from '../support/screens/scripted-node.ts';
import { openScriptedPage } from '../support/screens/scripted-page.ts';

const chromium = findChromium();

describe.skipIf(!chromium)('rounds and own submissions', () => {
  let browser: Browser;
  let node: ScriptedNode;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    if (chromium) browser = await launchChromium(chromium);
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    ({ node, page, complaints } = await openScriptedPage(browser));
  });

  afterEach(async () => {
    await page.close();
    await node.close();
    expect(complaints).toEqual([]);
  });

  const open = (place: string) => page.goto(`${node.url}#/competitions/${place}`);
  const told = () => node.data.competition;

  it('shows the open round, who was where in the last one, and another one when that is wanted', async () => {
    told().current.endsAt = Date.now() + 5 * 3_600_000;
    await open('rounds');
    await page.getByRole('region', { name: 'Round 3 is open' }).getByText('11', { exact: true }).waitFor();
    const board = page.getByRole('table', { name: 'Leader board' });
    await board.getByRole('img', { name: '1.71×, between 1.62× and 1.8×' }).waitFor();
    await board.getByText('Yours').waitFor();
    await noViolations(page);
    await takePictures(page, 'competition-rounds');
    await noScrollingSideways(page);
    await page.getByRole('button', { name: 'Round 1' }).click();
    await page.getByRole('region', { name: 'Leader board of round 1' }).waitFor();
  });

  it('says what a competition is where none is set, and takes its address', async () => {
    told().state.server = null;
    told().state.entries = [];
    await open('rounds');
    await page.getByText('No competition is set').waitFor();
    await page.getByRole('textbox', { name: 'Address of the competition' }).waitFor();
    await noViolations(page);
    await takePictures(page, 'competition-none');
    await noScrollingSideways(page);
  });

  it('says that a server does not answer, and that no round has ended', async () => {
    const message = say('competitor.unreachable', { host: 'competition.example' });
    node.data.failures['competition.current'] = new QuarryError({ code: 'DEADLINE', message }).toJSON();
    await open('rounds');
    await page.getByText('The competition’s server competition.example does not answer.').waitFor();
    delete node.data.failures['competition.current'];
    told().rounds = told().rounds.slice(0, 1);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No round has ended yet').waitFor();
  });

  it('keeps what was seen where the server is away for a while', async () => {
    await open('rounds');
    const board = page.getByRole('table', { name: 'Leader board' });
    await board.waitFor();
    const message = say('competitor.unreachable', { host: 'competition.example' });
    node.data.failures['competition.current'] = new QuarryError({ code: 'DEADLINE', message }).toJSON();
    await open('submissions');
    await page.getByRole('button', { name: 'blocked.wasm' }).waitFor();
    await open('rounds');
    await page.getByText('The competition’s server competition.example does not answer.').waitFor();
    await page.getByRole('region', { name: 'Round 3 is open' }).waitFor();
    await board.waitFor();
    await takePictures(page, 'competition-away');
  });

  it('calls what is right and has no place in the end by that', async () => {
    const placed = told().state.entries.find(({ name }) => name === 'blocked.wasm');
    Object.assign(placed ?? {}, { place: null, share: 0 });
    await open('submissions');
    await page
      .getByRole('row', { name: /blocked\.wasm/ })
      .getByText('No place')
      .waitFor();
  });

  it('shows of each submission how it stands, why, and what is missing', async () => {
    await open('submissions');
    const details = (name: string) => page.getByRole('region', { name, exact: true });
    await details('scan-v4.wasm')
      .getByText(/It has to be revealed, in 37 blocks or later/)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Reveal now' }).isDisabled()).toBe(true);
    await noViolations(page);
    await takePictures(page, 'competition-submissions');
    await noScrollingSideways(page);
    await page.getByRole('button', { name: 'blocked.wasm' }).click();
    await details('blocked.wasm')
      .getByText(/It is right, and 1.710 times as fast/)
      .waitFor();
    await details('blocked.wasm').getByRole('button', { name: 'Forget' }).click();
    await expect.poll(() => told().done).toEqual([`forget ${'5'.repeat(32)}`]);
  });

  it('submits a file after it has said what that publishes, when and by whom', async () => {
    await open('submissions');
    await page.getByRole('button', { name: 'Submit a file' }).click();
    const dialog = page.getByRole('dialog');
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'File' }).click();
    await (await chooser).setFiles({ name: 'new.wasm', mimeType: 'application/wasm', buffer: Buffer.alloc(1_000, 1) });
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await dialog.getByText(/for 100,000 tokens. Nothing has left this computer yet/).waitFor();
    await dialog.getByText(/it will count in the next one/).waitFor();
    await dialog.getByText(/everybody can fetch the code, and see that it is from 5FHneW/).waitFor();
    await noViolations(page);
    await takePictures(page, 'competition-submit');
    expect(told().done).toEqual([]);
    await dialog.getByRole('button', { name: 'Submit', exact: true }).click();
    await expect.poll(() => told().done).toEqual([`submit ${'f'.repeat(32)}`]);
  });

  it('forgets what is prepared after the dialog was left; an empty file is not prepared', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    told().preparing = promise;
    await open('submissions');
    await page.getByRole('button', { name: 'Submit a file' }).click();
    const dialog = page.getByRole('dialog');
    const choose = async (bytes: number) => {
      const chooser = page.waitForEvent('filechooser');
      await dialog.getByRole('button', { name: 'File' }).click();
      await (await chooser).setFiles({
        name: 'new.wasm',
        mimeType: 'application/wasm',
        buffer: Buffer.alloc(bytes, 1),
      });
    };
    await choose(0);
    await dialog.getByText('This file is empty.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Go on' }).isDisabled()).toBe(true);
    await choose(1_000);
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    resolve();
    await expect.poll(() => told().done).toEqual([`forget ${'f'.repeat(32)}`]);
  });

  it('forgets what was prepared where nobody says yes', async () => {
    await open('submissions');
    await page.getByRole('button', { name: 'Submit a file' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'File' }).click();
    await (await chooser).setFiles({ name: 'new.wasm', mimeType: 'application/wasm', buffer: Buffer.alloc(1_000, 1) });
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => told().done).toEqual([`forget ${'f'.repeat(32)}`]);
  });
});

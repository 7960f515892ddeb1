import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChatServer } from '../support/chat-server.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { erring } from '../support/solver.ts';
import { until } from '../support/until.ts';

const chromium = findChromium();

/** Miners answer as fast as a small model would on a good day: the page sees results come. */
const THINKING_MS = 20;
/** However fast results come, the page asks each of its questions so often in a second at most, and is told so often how the run stands. */
const MOST_A_SECOND = { asked: 1, told: 3 };

const IS_KEPT = /enabled":\s*true/;

const SETTINGS = {
  QUARRY_SHOW_WELCOME: 'false',
  QUARRY_LANGUAGE: 'en',
  QUARRY_VALIDATOR_ENVIRONMENTS: 'sat,elr',
  QUARRY_VALIDATOR_LEVEL: 'easy',
  QUARRY_VALIDATOR_PRESET: 'home',
  QUARRY_VALIDATOR_PER_MINER: '6',
  QUARRY_VALIDATOR_PER_HOUR: '100000',
};

describe.skipIf(!chromium)('the page of a validator that runs', () => {
  let browser: Browser;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let port: string;
  let node: QuarryProcess;
  let address = '';
  let page: Page;
  const servers: ChatServer[] = [];

  beforeAll(async () => {
    if (chromium) browser = await launchChromium(chromium);
    folder = await temporaryFolder();
    port = `${await freePort()}`;
    await start();
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await Promise.all(servers.map((server) => server.close()));
    await folder?.remove();
  });

  async function start(): Promise<void> {
    const flags = ['--role', 'client', '--port', port, '--data', folder.path, '--bootstrap', '127.0.0.1:9'];
    node = new QuarryProcess(['start', '--headless', ...flags], SETTINGS);
    [, address = ''] = await node.printed(/screens\s+(\S+)/);
  }

  /** A miner that errs in this share of its answers; added by the form. */
  async function addMiner(name: string, model: string, share = 0): Promise<void> {
    const answer = erring(share);
    const server = new ChatServer(model, async (prompt) => {
      await sleep(THINKING_MS);
      return answer(prompt);
    });
    servers.push(await server.open());
    await page.getByRole('button', { name: 'Add a miner' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url);
    await dialog.getByRole('button', { name: 'Add a miner' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('region', { name }).getByText(server.url).waitFor();
  }

  const run = () => page.getByRole('region', { name: 'Asking miners' });
  const answers = async () => Number(/([\d,]+) answers/.exec((await run().textContent()) ?? '')?.[1]?.replace(',', ''));
  const place = (name: string) => page.getByRole('link', { name, exact: true }).click();

  it('begins with nobody, and asks the miners that are added', async () => {
    await page.goto(`${address}#/validator`);
    await page.getByText('Nobody has been asked yet').waitFor();
    await place('Miners');
    await addMiner('half-right', 'model-of-half', 0.5);
    await addMiner('all-right', 'model-of-all');
    await run().getByRole('button', { name: 'Start' }).click();
    await run().getByText('Running', { exact: true }).waitFor();
    await run().getByText('2 miners').waitFor();
    const miner = page.getByRole('table', { name: 'Miners' }).getByRole('row', { name: /^all-right/ });
    await miner.getByText('Answers').waitFor();
  });

  it('ranks the better one first while results come, says why, and asks the node little for it', async () => {
    const asked = new Map<string, number>();
    let told = 0;
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => count(asked, String(payload)));
      socket.on('framereceived', ({ payload }) => void (String(payload).includes('"minerCount"') && told++));
    });
    const begun = performance.now();
    await page.reload();
    await place('Leaderboard');
    const row = (name: RegExp) => page.getByRole('table', { name: 'Leaderboard' }).getByRole('row', { name });
    await row(/^1 all-right/).waitFor();
    await row(/^2 half-right/).waitFor();
    await page.getByRole('heading', { name: 'Why all-right leads' }).waitFor();
    await page.getByText('On no task is it worse than half-right, and on').waitFor();
    await page.getByRole('img', { name: /^SAT: 100 against \d\d percent$/ }).waitFor();
    await row(/^2 half-right/)
      .getByRole('button')
      .click();
    await page.getByRole('heading', { name: 'Why half-right has no weight' }).waitFor();
    const before = await answers();
    await until(async () => expect(await answers()).toBeGreaterThan(before + 30));
    const seconds = (performance.now() - begun) / 1_000;
    expect(asked.get('validator/weigh')).toBeGreaterThan(0);
    for (const times of asked.values()) expect(times).toBeLessThanOrEqual(2 + MOST_A_SECOND.asked * seconds);
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThanOrEqual(2 + MOST_A_SECOND.told * seconds);
  });

  it('poses a challenge again, with the same score', async () => {
    await place('Challenges');
    await page.getByRole('combobox', { name: 'All outcomes' }).click();
    await page.getByRole('option', { name: 'Right' }).click();
    // Until the choice has come, the list before it is shown, and its first challenge beside it.
    const rows = page.getByRole('table', { name: 'Challenges' }).getByRole('row');
    await until(async () => expect(await rows.filter({ hasNotText: 'Right' }).count()).toBe(1)); // the head
    await rows.nth(1).getByRole('button').click();
    const result = page.getByRole('region', { name: /, number \d+$/ });
    await result.getByRole('button', { name: 'Replay' }).click();
    await result.getByText('As it was signed: the same challenge, and the same judgement.').waitFor();
    expect(await result.locator('dl').first().textContent()).toContain('Score1');
  });

  it('stops when it is told to, and goes on by itself after the node was killed', async () => {
    await run().getByRole('button', { name: 'Stop' }).click();
    await run().getByText('Not running').waitFor();
    await run().getByRole('button', { name: 'Start' }).click();
    await run().getByText('Running', { exact: true }).waitFor();
    // It runs a moment before that is kept.
    await until(async () => expect(await readFile(join(folder.path, 'app-settings.json'), 'utf8')).toMatch(IS_KEPT));
    await node.stop('SIGKILL');
    await page.getByText('No connection to Quarry.').waitFor();
    await start();
    await page.getByText('No connection to Quarry.').waitFor({ state: 'detached' });
    await run().getByText('Running', { exact: true }).waitFor();
    await until(async () => expect(await answers()).toBeGreaterThan(10));
  });
});

/** The calls of the contract in what a page sends, by their names. */
function count(asked: Map<string, number>, frame: string): void {
  const [, path] = /"(?:u|url)":"[^"]*?\/?(validator\/\w+)/.exec(frame) ?? [];
  if (path) asked.set(path, (asked.get(path) ?? 0) + 1);
}

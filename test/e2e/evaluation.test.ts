import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorView } from '../../src-main/base/error-view.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { takePictures } from '../support/pictures.ts';
import { running } from '../support/screens/sample-evaluation.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const chromium = findChromium();

describe.skipIf(!chromium)('the page of evaluations', () => {
  let browser: Browser;
  let node: ScriptedNode;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    if (chromium) browser = await launchChromium(chromium);
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    node = await startScriptedNode();
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
    complaints = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
  });

  afterEach(async () => {
    await page.close();
    await node.close();
    expect(complaints).toEqual([]);
  });

  const open = (place = '') => page.goto(`${node.url}#/evaluation${place}`);
  const region = (name: string | RegExp) => page.getByRole('region', { name, exact: true });
  const told = () => node.data.evaluation;
  const map = () => page.getByRole('grid', { name: /^Needle map/ });

  async function noViolations(): Promise<void> {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults;
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }

  async function noScrollingSideways(): Promise<void> {
    for (const width of [400, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      const more = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      await expect.poll(() => page.evaluate(more)).toBe(0);
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
  }

  it('shows how much of a text is used: in a figure, a map by length and depth, and curves', async () => {
    await open();
    await page.getByText('Half right, up to').waitFor();
    const cell = map().getByRole('gridcell', {
      name: /^4k tokens, Middle of the text \(30–70% deep\): \d+% of 12 questions$/,
    });
    await cell.waitFor();
    expect(await map().getByRole('columnheader').allTextContents()).toEqual([
      'Where it stands',
      '1k',
      '2k',
      '4k',
      '8k',
      '16k',
      '32k',
    ]);
    expect(await map().getByRole('rowheader').count()).toBe(5);
    expect(await cell.locator('[aria-hidden]').textContent()).toMatch(/^\d+$/);
    await map()
      .getByRole('gridcell', { name: '32k tokens, End of the text (90–100% deep): no room for the text' })
      .waitFor();
    const byLength = page.getByRole('grid', { name: 'Right answers by length' });
    expect(await byLength.getByRole('rowheader').allTextContents()).toEqual([
      'Needle',
      'Five needles',
      'Anchors',
      'Execution',
    ]);
    await page.getByRole('figure', { name: /^Right answers by length; at the longest: Needle/ }).waitFor();
    await page.getByRole('figure', { name: /^Tokens read a second by length/ }).waitFor();
    await noViolations();
    await takePictures(page, 'evaluation/result');
    await noScrollingSideways();
    await page.getByRole('heading', { name: 'What longer texts change' }).scrollIntoViewIfNeeded();
    await takePictures(page, 'evaluation/result-below', [1_280]);
  });

  it('is walked through with the arrow keys, and tells of the questions of a cell', async () => {
    await open();
    const first = map().getByRole('gridcell').first();
    await first.focus();
    const focused = () => page.evaluate('document.activeElement.title');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^4k tokens, Early of the text/);
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Home');
    expect(await focused()).toMatch(/^1k tokens, Beginning/);
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toMatch(/^1k tokens, Beginning/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const details = region('Needle');
    await details.getByText('8k tokens · Middle').waitFor();
    const answers = details.getByRole('list', { name: 'Answers' });
    await answers.getByText('Wrong').first().waitFor();
    await answers.getByText('80% right').first().waitFor();
    expect(await map().getByRole('gridcell', { selected: true }).count()).toBe(1);
    await answers.getByRole('button', { name: 'Show the question' }).first().click();
    await answers.getByText('What is the registration number of the barge Oswin?').waitFor();
    await noViolations();
    await takePictures(page, 'evaluation/cell', [1_280]);
    await map()
      .getByRole('gridcell', { name: /^32k tokens, Middle/ })
      .click();
    await answers.getByText('a context of this model holds 16,384').first().waitFor();
    const all = page.getByRole('grid', { name: 'Right answers by length' });
    await all
      .getByRole('gridcell', { name: /^4k tokens: \d+% of 60 questions$/ })
      .first()
      .click();
    await details.getByText('20 of 60 shown').waitFor();
    await details.getByRole('button', { name: 'Show more' }).click();
    await details.getByText('40 of 60 shown').waitFor();
  });

  it('shows one kind of needles alone, another suite, and on a phone the questions as a sheet', async () => {
    await open();
    await page.getByRole('combobox', { name: 'What is looked for' }).click();
    await page.getByRole('option', { name: 'Number', exact: true }).click();
    await map()
      .getByRole('gridcell', { name: /^4k tokens, Middle of the text.* of 2 questions$/ })
      .waitFor();
    await page.getByRole('combobox', { name: 'Kind of questions' }).click();
    await page.getByRole('option', { name: 'Anchors' }).click();
    await page.getByRole('grid', { name: /^Needle map of Anchors/ }).waitFor();
    await page.setViewportSize({ width: 400, height: 800 });
    await map()
      .getByRole('gridcell', { name: /^2k tokens, Late/ })
      .click();
    const sheet = page.getByRole('dialog', { name: 'Questions' });
    await sheet.getByText('2k tokens · Late').waitFor();
    await takePictures(page, 'evaluation/sheet', [400]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it('fills while it runs, tells how long it still takes, is paused and goes on', async () => {
    told().all.unshift(running());
    await open();
    const bar = region('How far it is');
    await bar.getByText('130 of 360 texts').waitFor();
    await bar.getByText('about 21 min left').waitFor();
    await map().getByRole('gridcell', { name: '8k tokens, Early of the text (10–30% deep): not asked' }).waitFor();
    await takePictures(page, 'evaluation/running');
    const [one] = told().all;
    const cell = one?.cells.find(({ length, band }) => length === 2_000 && band === 'early');
    if (!one || !cell) throw new Error('The sample has no such cell.');
    one.cells = [...one.cells, { ...cell, length: 8_000, score: 1 }];
    await map()
      .getByRole('gridcell', { name: /^8k tokens, Early of the text \(10–30% deep\): 50% of 2 questions/ })
      .waitFor();
    await bar.getByRole('button', { name: 'Pause' }).click();
    await bar.getByText('Paused', { exact: true }).waitFor();
    await takePictures(page, 'evaluation/paused', [1_280]);
    await bar.getByRole('button', { name: 'Go on' }).click();
    await bar.getByText('Running', { exact: true }).waitFor();
    expect(told().done).toEqual(['pause feedfacecafebeef', 'resume feedfacecafebeef']);
  });

  it('says why one failed, and goes on with it', async () => {
    await open();
    await page.getByRole('combobox', { name: 'Which evaluation' }).click();
    await page.getByRole('option', { name: /SmolLM2/ }).click();
    const bar = region('How far it is');
    await bar.getByText('Failed', { exact: true }).waitFor();
    await bar.getByText('12 of 60 texts').waitFor();
    await bar.getByRole('alert').getByText('Let this node mine').waitFor();
    await page.getByText('No question was answered').waitFor();
    await noViolations();
    await takePictures(page, 'evaluation/failed');
    await bar.getByRole('button', { name: 'Go on' }).click();
    await bar.getByText('Running', { exact: true }).waitFor();
  });

  it('has no needle map where nothing has a depth', async () => {
    told().all = told().all.filter(({ plan }) => plan.ownTexts);
    await open();
    await page
      .getByRole('grid', { name: 'Right answers by length' })
      .getByRole('gridcell', { name: /^4k tokens: \d+%/ })
      .first()
      .waitFor();
    expect(await map().count()).toBe(0);
    await takePictures(page, 'evaluation/no-depth', [1_280]);
  });

  it('begins what was chosen, having said what does not fit', async () => {
    await open('/new');
    const start = page.getByRole('button', { name: 'Start the evaluation' });
    await page.getByText('90 texts, 210K tokens to read').waitFor();
    await page
      .getByRole('checkbox', { name: /^Needle/ })
      .first()
      .press('Space');
    expect(await start.isDisabled()).toBe(true);
    await page.getByText('Choose at least one kind and one length.').waitFor();
    await page.getByRole('checkbox', { name: /^Anchors/ }).press('Space');
    await page.getByText('Places that are marked all along the text were found by their names.').waitFor();
    const lengths = page.getByRole('group', { name: 'How long the texts are' });
    for (const length of ['1k', '2k']) await lengths.getByText(length, { exact: true }).click();
    const own = page.getByRole('textbox', { name: 'Another length' });
    await own.fill('12 miles');
    await own.press('Enter');
    await page.getByText('From 500 to 2M, as in 12k.').waitFor();
    await own.fill('12k');
    await own.press('Enter');
    await page.getByText('No room for 12k: the model takes 8,192 tokens at once here.').waitFor();
    await page.getByRole('textbox', { name: 'Texts of each kind and length' }).fill('3');
    await page.getByRole('textbox', { name: 'Seed (optional)' }).fill('as before');
    await page.getByRole('button', { name: /^Show \d+ kinds/ }).click();
    await page.getByRole('checkbox', { name: /^LCC/ }).press('Space');
    await page.getByRole('switch', { name: /^Use the small texts/ }).press('Space');
    await page.getByText('12 texts, 96K tokens to read').waitFor();
    await noViolations();
    await takePictures(page, 'evaluation/new');
    await noScrollingSideways();
    await start.click();
    await region('How far it is').getByText('Running', { exact: true }).waitFor();
    await page.getByText('The first answer is on its way').waitFor();
    expect(told().started).toEqual([
      {
        ...{ target: { kind: 'local' }, suites: ['anchors', 'lcc'], lengths: [4_000, 12_000], samples: 3 },
        ...{ ownTexts: true, seed: 'as before' },
      },
    ]);
    await page.getByRole('link', { name: 'New', exact: true }).first().click();
    await page.getByText('Another evaluation is running').waitFor();
  });

  it('asks the mesh, for a model or any', async () => {
    await open('/new');
    await page.getByRole('radio', { name: 'The mesh' }).check();
    const model = page.getByRole('combobox', { name: 'Model (optional)' });
    await model.fill('qwen');
    await page.getByRole('option').first().click();
    await page.getByRole('button', { name: 'Start the evaluation' }).click();
    await expect.poll(() => told().started.length).toBe(1);
    expect(told().started[0]?.target).toMatchObject({ kind: 'mesh', model: expect.stringMatching(/qwen/i) });
    expect(told().started[0]).not.toHaveProperty('seed');
  });

  it('says beside the button why nothing begins, and that a node without an engine asks others', async () => {
    const { mining: _, ...without } = node.data.status;
    node.data.status = without;
    node.data.failures['evaluation.start'] = errorView(
      new QuarryError({ code: 'OVERLOADED', message: say('evaluations.another'), hint: say('evaluations.pauseFirst') }),
    );
    await open('/new');
    await page.getByText('This node runs no model.').waitFor();
    expect(await page.getByRole('radio', { name: 'This computer’s model' }).isDisabled()).toBe(true);
    await page.getByRole('radio', { name: 'The mesh' }).check();
    await page.getByRole('button', { name: 'Start the evaluation' }).click();
    await page.getByRole('alert').getByText('Another evaluation is running.').waitFor();
    complaints.length = 0;
  });

  it('compares two evaluations by what both were asked, and says what differs', async () => {
    await open('/history');
    const table = page.getByRole('table', { name: 'History' });
    await table.getByRole('checkbox', { name: /^Compare: Qwen2.5/ }).check();
    expect(await page.getByRole('button', { name: 'Compare', exact: true }).isDisabled()).toBe(true);
    await table
      .getByRole('checkbox', { name: /^Compare: Qwen3/ })
      .first()
      .check();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('Another model, or another file of it.').waitFor();
    await page.getByText('Other lengths: below are those that all were asked.').waitFor();
    const beside = page.getByRole('table', { name: 'Side by side' });
    await beside.getByRole('row', { name: /^4k tokens \d+% \d+%$/ }).waitFor();
    await beside.getByRole('row', { name: /^Anchors \d+% \d+%$/ }).waitFor();
    expect(await beside.getByRole('row', { name: /^(32k|Execution)/ }).count()).toBe(0);
    await page.getByRole('figure', { name: /^Right answers by length; at the longest: Qwen2.5/ }).waitFor();
    await noViolations();
    await takePictures(page, 'evaluation/compare');
    await noScrollingSideways();
  });

  it('keeps a history, from which one is opened, asked again, and deleted once that was asked', async () => {
    await open('/history');
    const table = page.getByRole('table', { name: 'History' });
    await table
      .getByRole('button', { name: /^Qwen3/ })
      .first()
      .click();
    const details = region(/^Qwen3/);
    await details.getByText('310 of 310 texts').waitFor();
    await noViolations();
    await takePictures(page, 'evaluation/history');
    await noScrollingSideways();
    await details.getByRole('button', { name: 'Delete this evaluation' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('is deleted with all its answers').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => told().done).toEqual(['remove 81b0c2d3e4f50617']);
    await expect.poll(() => table.getByRole('row').count()).toBe(4);
    await table.getByRole('button', { name: /^Qwen2.5/ }).click();
    await region(/^Qwen2.5/)
      .getByRole('button', { name: 'Ask the same again' })
      .click();
    expect(await page.getByRole('textbox', { name: 'Seed (optional)' }).inputValue()).toBe('5f1d8a0c9be2');
    expect(await page.getByRole('checkbox', { name: /^Execution/ }).isChecked()).toBe(true);
  });

  it('saves the table and the map', async () => {
    await open();
    const saved = async (name: string) => {
      await page.getByRole('button', { name: 'Save' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name, exact: true }).click(),
      ]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    const csv = await saved('CSV');
    expect(csv.name).toBe('quarry-evaluation-qwen2.5-7b-instruct-q4_k_m-2026-11-21.csv');
    expect(csv.bytes.toString()).toMatch(/^suite,variant,length,band,.*\r\nneedle,"fact, beginning",1000,beginning,/);
    expect(JSON.parse((await saved('JSON')).bytes.toString())).toMatchObject({ plan: { seed: '5f1d8a0c9be2' } });
    expect((await saved('Markdown')).bytes.toString()).toMatch(/\| needle \| \d+ % \| .* \| no room \|/);
    const svg = (await saved('SVG')).bytes.toString();
    expect(svg).toMatch(/^<svg xmlns=.*Qwen2.5.*Middle \(30–70%\).*<\/svg>$/);
    const png = await saved('PNG');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(1_000);
  });

  it('says how to begin where nothing was evaluated, and tells of errors with another try', async () => {
    told().all = [];
    await open();
    await page.getByText('Nothing was evaluated yet').waitFor();
    await noViolations();
    await takePictures(page, 'evaluation/empty');
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByText('There is nothing to compare yet').waitFor();
    node.data.failures['evaluation.list'] = errorView(
      new QuarryError({ code: 'INTERNAL', message: say('engine.lowerContext') }),
    );
    await page.reload();
    await page.getByRole('alert').waitFor();
    node.data.failures = {};
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('There is nothing to compare yet').waitFor();
    complaints.length = 0;
  });

  it('keeps what is shown while the node is away', async () => {
    await open();
    await map().waitFor();
    await node.close();
    await page.getByText('No connection to Quarry.').waitFor();
    expect(await map().getByRole('gridcell').count()).toBe(30);
    complaints.length = 0;
  });

  it('finds room for German', async () => {
    const language = node.data.settings.settings.find(({ path }) => path === 'language');
    if (language) language.value = 'de';
    await open();
    await page.getByText('Zur Hälfte richtig bis').waitFor();
    await page.getByRole('gridcell', { name: /^4k Token, Mitte des Textes/ }).waitFor();
    const wider =
      "[...document.querySelectorAll('main *')].filter((one) => getComputedStyle(one).overflow === 'auto' && one.scrollWidth > one.clientWidth).map((one) => one.className)";
    expect(await page.evaluate(wider)).toEqual([]);
    await takePictures(page, 'evaluation/german');
    await noScrollingSideways();
    await open('/new');
    await page.getByText('Wie lang die Texte sind').waitFor();
    await takePictures(page, 'evaluation/german-new');
    await noScrollingSideways();
    await page.getByRole('link', { name: 'Verlauf' }).click();
    await page.getByRole('table', { name: 'Verlauf' }).waitFor();
    await takePictures(page, 'evaluation/german-history', [400]);
    await noScrollingSideways();
  });
});

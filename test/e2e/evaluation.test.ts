/** @module-tag long */
import { readFile } from 'node:fs/promises';
import { ORPCError } from '@orpc/server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorView } from '../../src-main/base/error-view.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { EvaluationFit } from '../../src-preload/contract/evaluation.ts';
import { told as phrased, say } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { noScrollingSideways, noViolations } from '../support/page-checks.ts';
import { takePictures } from '../support/pictures.ts';
import { fitOf, running } from '../support/screens/sample-evaluation.ts';
import type { ScriptedNode } from '../support/screens/scripted-node.ts';
import { openScriptedPage } from '../support/screens/scripted-page.ts';

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
    ({ node, page, complaints } = await openScriptedPage(browser));
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

  it('shows how much of a text is used: in a figure, a map by length and depth, and curves', async () => {
    await open();
    await page.getByText('Half right, up to').waitFor();
    const cell = map().getByRole('gridcell', {
      name: /^4k tokens, Middle \(30–70% deep\): \d+% of 12 questions$/,
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
    await map().getByRole('gridcell', { name: '32k tokens, End (90–100% deep): no room for the text' }).waitFor();
    await region('Needle map').getByText('The rows are where it was to stand;').waitFor();
    const byLength = page.getByRole('grid', { name: 'Right answers by length' });
    expect(await byLength.getByRole('rowheader').allTextContents()).toEqual([
      'Needle',
      'Five needles',
      'Anchors',
      'Execution',
    ]);
    await page.getByRole('figure', { name: /^Right answers by length; at the longest: Needle/ }).waitFor();
    await page.getByRole('figure', { name: /^Tokens read a second by length/ }).waitFor();
    await noViolations(page);
    await takePictures(page, 'evaluation/result');
    await noScrollingSideways(page);
    await page.getByRole('heading', { name: 'What longer texts change' }).scrollIntoViewIfNeeded();
    await takePictures(page, 'evaluation/result-below', [1_280]);
  });

  it('tells QUASAR’s scores, each with what it is and came from, and of one that was not measured what would', async () => {
    await open();
    const scores = page.getByRole('table', { name: 'QUASAR’s scores' });
    const row = (name: string) => scores.getByRole('row', { name });
    await row('Memory').getByText('Out of 704 answers. Of this 68.9 % count, with a weight of 35 %.').waitFor();
    expect(await scores.getByRole('rowheader').allTextContents()).toEqual([
      ...['Accuracy', 'Reward', 'Composite', 'Memory', 'Position', 'Coherence', 'Speed', 'Scaling', 'Consistency'],
    ]);
    await row('Speed').getByText('4.2 tokens/s').waitFor();
    await row('Composite').getByText('not measured', { exact: true }).waitFor();
    await row('Composite').getByText('It takes all five parts. Missing: Coherence.', { exact: false }).waitFor();
    await noViolations(page);
    await scores.scrollIntoViewIfNeeded();
    await takePictures(page, 'evaluation/scores', [1_280]);
    await page.setViewportSize({ width: 400, height: 720 });
    await row('Consistency').scrollIntoViewIfNeeded();
    await takePictures(page, 'evaluation/scores', [400]);
    await noScrollingSideways(page);
  });

  it('is walked through with the arrow keys, and tells of the questions of a cell', async () => {
    await open();
    const first = map().getByRole('gridcell').first();
    await first.focus();
    const focused = () => page.evaluate('document.activeElement.title');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^4k tokens, Early/);
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
    await noViolations(page);
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
      .getByRole('gridcell', { name: /^4k tokens, Middle.* of 2 questions$/ })
      .waitFor();
    await page.getByRole('combobox', { name: 'Kind of questions' }).click();
    await page.getByRole('option', { name: 'Anchors' }).click();
    await page.getByRole('grid', { name: /^Needle map of Anchors/ }).waitFor();
    expect(await page.getByText('The rows are where it was to stand;').count()).toBe(0);
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
    await map().getByRole('gridcell', { name: '8k tokens, Early (10–30% deep): not asked' }).waitFor();
    await takePictures(page, 'evaluation/running');
    const [one] = told().all;
    const cell = one?.cells.find(({ length, band }) => length === 2_000 && band === 'early');
    if (!one || !cell) throw new Error('The sample has no such cell.');
    one.cells = [...one.cells, { ...cell, length: 8_000, score: 1 }];
    await map()
      .getByRole('gridcell', { name: /^8k tokens, Early \(10–30% deep\): 50% of 2 questions/ })
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
    await noViolations(page);
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
    await page.getByRole('textbox', { name: 'Texts of each kind and length' }).fill('3');
    await page.getByRole('textbox', { name: 'Seed (optional)' }).fill('as before');
    await page.getByRole('switch', { name: /^Ask each question twice/ }).press('Space');
    await page.getByRole('button', { name: /^Show \d+ kinds/ }).click();
    await page.getByRole('checkbox', { name: /^LCC/ }).press('Space');
    await page.getByRole('switch', { name: /^Use the small texts/ }).press('Space');
    await page.getByText('12 texts, 96K tokens to read').waitFor();
    await start.click();
    const left = page.getByRole('alert');
    await left.getByText('No room for 12k').waitFor();
    await left.getByText('It fits with a context of 12,064 tokens in the settings.').waitFor();
    await page.getByText('6 texts, 24K tokens to read').waitFor();
    expect(told().started).toEqual([]);
    await noViolations(page);
    await takePictures(page, 'evaluation/new');
    await noScrollingSideways(page);
    await page.getByRole('button', { name: 'Start without them' }).click();
    await region('How far it is').getByText('Running', { exact: true }).waitFor();
    await page.getByText('The first answer is on its way').waitFor();
    expect(told().started).toEqual([
      {
        ...{ target: { kind: 'local' }, suites: ['anchors', 'lcc'], lengths: [4_000], samples: 3 },
        ...{ ownTexts: true, twice: true, seed: 'as before' },
      },
    ]);
    await page.getByRole('link', { name: 'New', exact: true }).first().click();
    await page.getByText('Another evaluation is running').waitFor();
  });

  it('says of each length why it does not fit, and what would; looking is given up by a button, or another choice', async () => {
    await open('/new');
    const lengths = page.getByRole('group', { name: 'How long the texts are' });
    for (const length of ['1k', '2k', '4k', '16k', '32k']) await lengths.getByText(length, { exact: true }).click();
    const looked = Promise.withResolvers<EvaluationFit>();
    told().fit = () => looked.promise;
    await page.getByRole('button', { name: 'Start the evaluation' }).click();
    await page.getByText('Looking what fits. This computer’s model is loaded for it.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('60 texts, 1.4M tokens to read').waitFor();
    looked.resolve(fitOf([16_000, 32_000], 8_192));
    told().fit = (wish) => fitOf(wish.lengths, 8_192);
    await page.getByRole('button', { name: 'Start the evaluation' }).click();
    const left = page.getByRole('alert');
    await left.getByText('No room for any of these lengths').waitFor();
    await left.getByText('It fits with a context of 16,064 tokens in the settings.').waitFor();
    await left.getByText('that takes 14.2 GB, and there are 9.1 GB for it. It fits with a context').waitFor();
    await left.getByText('a context of 32,064 tokens, a cache of q8_0 in the settings.').waitFor();
    expect(await left.getByRole('link', { name: 'Context and memory' }).getAttribute('href')).toBe('#/settings/engine');
    expect(await page.getByRole('button', { name: 'Start the evaluation' }).isDisabled()).toBe(true);
    await noViolations(page);
    for (const width of [1_280, 400]) {
      await page.setViewportSize({ width, height: 720 });
      await left.scrollIntoViewIfNeeded();
      await takePictures(page, 'evaluation/fits-none', [width]);
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
    await lengths.getByText('4k', { exact: true }).click();
    await left.waitFor({ state: 'detached' });
    expect(told().started).toEqual([]);
  });

  it('says of the built-in model that it only babbles', async () => {
    Object.assign(told().all[0] ?? {}, { remark: phrased({ text: say('evaluations.builtIn') }) });
    await open();
    await page.getByText('The built-in model has random weights and only babbles').waitFor();
    await noViolations(page);
    await takePictures(page, 'evaluation/babbles', [1_280]);
  });

  it('says which texts are too short for what is asked, and begins all the same', async () => {
    const message = say('evaluations.tooShort', { length: 1_000, suite: 'execution', least: 4_400 });
    const problem = errorView(new QuarryError({ code: 'BAD_REQUEST', message, field: 'lengths' }));
    told().fit = ({ lengths }) => ({ ...fitOf(lengths, 8_192), tooShort: [{ suite: 'execution', problem }] });
    await open('/new');
    await page.getByRole('checkbox', { name: /^Execution/ }).press('Space');
    await page.getByRole('button', { name: 'Start the evaluation' }).click();
    const note = page.getByRole('alert');
    await note.getByText('Some texts are too short for what is asked').waitFor();
    await note.getByText('1,000 tokens are too few for «execution»: it takes about 4,400.').waitFor();
    expect(await note.getByRole('link', { name: 'Context and memory' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Start without them' }).click();
    await region('How far it is').getByText('Running', { exact: true }).waitFor();
    expect(told().started).toMatchObject([{ suites: ['needle', 'execution'], lengths: [1_000, 2_000, 4_000] }]);
  });

  it('asks a server at an address, and says whether that gets the key', async () => {
    const set = (path: string, changes: object) =>
      Object.assign(node.data.settings.settings.find((one) => one.path === path) ?? {}, changes);
    set('remote.baseUrl', { value: 'http://gpu.lan:8000/v1' });
    set('remote.apiKey', { isSet: true });
    await open('/new');
    await page.getByRole('radio', { name: 'A server at an address' }).check();
    const start = page.getByRole('button', { name: 'Start the evaluation' });
    const address = page.getByRole('textbox', { name: 'Address of the server' });
    expect(await start.isDisabled()).toBe(true);
    await page.getByText('Name the server.').waitFor();
    await address.fill('http://me:secret@gpu.lan:8000/v1');
    await page.getByRole('textbox', { name: 'Model (optional)' }).fill('qwen3-4b');
    await page.getByText('An address begins with http:// or https://').waitFor();
    expect(await start.isDisabled()).toBe(true);
    await address.fill('https://api.example.com/v1');
    await page.getByText('No key is sent: only the server that the settings name gets one.').waitFor();
    await address.fill('http://gpu.lan:8000/v1');
    await page.getByText('This server gets the key of the settings.').waitFor();
    await noViolations(page);
    await takePictures(page, 'evaluation/server');
    await noScrollingSideways(page);
    told().fit = () => {
      throw new ORPCError('UNAVAILABLE', { message: 'There is no way to gpu.lan.' });
    };
    await start.click();
    await page.getByRole('alert').waitFor();
    complaints.length = 0;
    told().fit = ({ lengths }) => ({ ...fitOf(lengths, 8_192), room: null });
    await start.click();
    await region('How far it is').getByText('Running', { exact: true }).waitFor();
    expect(told().started[0]?.target).toEqual({ kind: 'address', url: 'http://gpu.lan:8000/v1', model: 'qwen3-4b' });
    await page.getByText('http://gpu.lan:8000/v1').waitFor();
  });

  it('asks a miner of the subnet that is set, found by its number or its hotkey, and says why it does not answer', async () => {
    await open('/new');
    await page.getByRole('radio', { name: 'A miner of a subnet' }).check();
    const start = page.getByRole('button', { name: 'Start the evaluation' });
    expect(await start.isDisabled()).toBe(true);
    await page.getByText('Name the miner.').waitFor();
    await page.getByText('in the name of the hotkey main/default, on subnet 64').waitFor();
    const miner = page.getByRole('combobox', { name: 'Hotkey of the miner' });
    await miner.fill('not a hotkey');
    await miner.blur();
    await page.getByText('A hotkey begins with 5 and has 48 characters.').waitFor();
    await miner.fill('21');
    const rows = node.data.metagraphOf(64)?.rows ?? [];
    const wanted = rows.find(({ uid }) => uid === 21);
    await page.getByRole('option', { name: /^No. 21/ }).click();
    expect(await miner.inputValue()).toBe(wanted?.hotkey);
    await page.getByText('Its axon: 203.0.113.21:8091').waitFor();
    await noViolations(page);
    await takePictures(page, 'evaluation/miner');
    await noScrollingSideways(page);
    await miner.fill('');
    await page.getByRole('option').first().waitFor();
    await takePictures(page, 'evaluation/miners', [1_280]);
    await miner.fill(wanted?.hotkey ?? '');
    const rules = say('evaluations.axon.rules', { asker: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' });
    const message = say('evaluations.axon.refuses', {
      ...{ hotkey: wanted?.hotkey ?? '', status: 403 },
      message: 'Forbidden. Key is blacklisted: Not enough stake.',
    });
    const refused = new QuarryError({ code: 'UNAUTHORIZED', message, hint: rules });
    told().fit = () => {
      throw new ORPCError('UNAUTHORIZED', { message: refused.message, data: refused.toJSON() });
    };
    await start.click();
    await page.getByRole('alert').getByText('Key is blacklisted: Not enough stake.').waitFor();
    await page.setViewportSize({ width: 1_280, height: 720 });
    await page.getByText('An axon chooses whom it answers').scrollIntoViewIfNeeded();
    await takePictures(page, 'evaluation/miner-refuses', [1_280]);
    await page.setViewportSize({ width: 1_280, height: 900 });
    complaints.length = 0;
    told().fit = ({ lengths }) => ({ ...fitOf(lengths, 8_192), room: null });
    await start.click();
    await region('How far it is').getByText('Running', { exact: true }).waitFor();
    expect(told().started[0]?.target).toEqual({ kind: 'axon', hotkey: wanted?.hotkey, netuid: 64 });
    await page.getByText('on subnet 64').waitFor();
  });

  it('offers no miner where no wallet or subnet is set', async () => {
    for (const one of node.data.settings.settings) {
      if (/^(validator|axon)\.wallet$/.test(one.path)) Object.assign(one, { value: undefined, isSet: false });
    }
    await open('/new');
    await page.getByRole('radio', { name: 'A server at an address' }).waitFor();
    expect(await page.getByRole('radio', { name: 'A miner of a subnet' }).count()).toBe(0);
  });

  it('shows which published files are here, and fetches the others: with progress, stopped and gone on with', async () => {
    await open('/files');
    const files = page.getByRole('table', { name: 'Published files' });
    const longbench = files.getByRole('row', { name: /^LongBench/ });
    await longbench.getByText('Missing', { exact: true }).waitFor();
    await longbench.getByText('From https://huggingface.co/datasets/zai-org/LongBench/resolve/main/data.zip').waitFor();
    await longbench.getByText('23 files').click();
    await longbench.getByText('narrativeqa.jsonl · Missing').waitFor();
    await files
      .getByRole('row', { name: /^HotpotQA hotpot_dev/ })
      .getByText('Here')
      .waitFor();
    const more = files.getByRole('row', { name: /^HotpotQA, more documents few want it/ });
    await more.getByRole('cell', { name: '566.4 MB' }).waitFor();
    await noViolations(page);
    await noScrollingSideways(page);
    await longbench.getByText('23 files').click();
    await takePictures(page, 'evaluation/files');
    told().fetchGoesOn = true;
    told().fetch = () => [
      {
        ...{ type: 'progress', file: 'LongBench-data.zip', done: 42e6, total: 110e6, bytesPerSecond: 3e6 },
        ...{ secondsLeft: 23, problem: null },
      },
    ];
    await files.getByRole('button', { name: 'Fetch: LongBench' }).click();
    const now = region('Fetching files');
    await now.getByText('LongBench-data.zip · 42 MB of 110 MB · 3 MB/s · about 23 s left').waitFor();
    await noViolations(page);
    await takePictures(page, 'evaluation/fetching');
    await noScrollingSideways(page);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('table', { name: 'History' }).waitFor();
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await now.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped. What is here is kept, and fetching goes on from there.').waitFor();
    const [first] = told().fetched;
    expect(first).toMatchObject({ suites: expect.arrayContaining(['narrativeqa', 'longbench']), all: false });
    told().fetchGoesOn = false;
    told().fetch = () => {
      told().files = told().files.map((file) =>
        file.suite === 'govreport' ? { ...file, state: 'here', bytes: 60e6 } : file,
      );
      return [{ type: 'fetched', file: 'govreport_test.jsonl', bytes: 60e6 }];
    };
    await files.getByRole('button', { name: 'Go on: GovReport' }).click();
    await page.getByText('1 file was fetched.').waitFor();
    await files
      .getByRole('row', { name: /^GovReport govreport_test/ })
      .getByText('Here')
      .waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('1 file was fetched.').waitFor({ state: 'detached' });
    expect(told().fetched[1]).toEqual({ suites: ['govreport'], all: false });
  });

  it('says in words why a file was not fetched, what it waits for, and where others are fetched already', async () => {
    const problem = say('contextFiles.badZip', { name: 'LongBench-data.zip', from: 'huggingface.co' });
    const hint = say('contextFiles.zipRemoved');
    const error = errorView(new QuarryError({ code: 'DOWNLOAD_FAILED', message: problem, hint }));
    told().fetch = () => [
      { type: 'failed', file: 'LongBench-data.zip', error },
      { type: 'fetched', file: 'dataset2prompt.json', bytes: 5_437 },
    ];
    await open('/files');
    await page.getByRole('button', { name: 'Fetch all' }).click();
    const failed = region('Not fetched: LongBench-data.zip');
    await failed.getByText('is damaged, or not the zip that it should be').waitFor();
    await failed.getByText('Fetch it again later').waitFor();
    await page.getByText('1 file was fetched.').waitFor();
    await noViolations(page);
    await takePictures(page, 'evaluation/fetch-failed');
    expect(told().fetched).toEqual([{ suites: [], all: false }]);
    const busy = { message: say('contextFiles.fetching'), hint: say('contextFiles.fetching.hint') };
    node.data.failures['evaluation.fetch'] = errorView(new QuarryError({ code: 'OVERLOADED', ...busy }));
    await page.getByRole('button', { name: 'Fetch all' }).click();
    await page.getByRole('alert').getByText('Files are being fetched already.').waitFor();
    complaints.length = 0;
  });

  it('names the files that the chosen questions want, and fetches them from the form', async () => {
    await open('/new');
    await page.getByRole('button', { name: /^Show \d+ kinds/ }).click();
    await page.getByRole('checkbox', { name: 'HotpotQA', exact: true }).press('Space');
    await page.getByRole('checkbox', { name: /^LCC/ }).press('Space');
    await page.getByText('Not here yet: LongBench').waitFor();
    await takePictures(page, 'evaluation/missing-files', [1_280]);
    await page.getByRole('switch', { name: /^Use the small texts/ }).press('Space');
    await page.getByText('Not here yet: LongBench').waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: /^Use the small texts/ }).press('Space');
    told().fetch = () => {
      told().files = told().files.map((file) => (file.group === 'longbench' ? { ...file, state: 'here' } : file));
      return [{ type: 'fetched', file: 'lcc.jsonl', bytes: 5_437 }];
    };
    await page.getByRole('button', { name: 'Fetch them' }).click();
    await page.getByText('1 file was fetched.').waitFor();
    await page.getByText('Not here yet: LongBench').waitFor({ state: 'detached' });
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
    await page.getByText('Choose the mesh or a server.').waitFor();
    expect(await page.getByRole('button', { name: 'Start the evaluation' }).isDisabled()).toBe(true);
    await takePictures(page, 'evaluation/no-engine');
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
    await noViolations(page);
    await takePictures(page, 'evaluation/compare');
    await noScrollingSideways(page);
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
    await noViolations(page);
    await takePictures(page, 'evaluation/history');
    await noScrollingSideways(page);
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
    await noViolations(page);
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
    await page.close(); // it tries again all the time, and the browser complains each time
    complaints.length = 0;
  });

  it('finds room for German', async () => {
    const language = node.data.settings.settings.find(({ path }) => path === 'language');
    if (language) language.value = 'de';
    await open();
    await page.getByText('Zur Hälfte richtig bis').waitFor();
    await page.getByRole('gridcell', { name: /^4k Token, Mitte/ }).waitFor();
    const wider =
      "[...document.querySelectorAll('main *')].filter((one) => getComputedStyle(one).overflow === 'auto' && one.scrollWidth > one.clientWidth).map((one) => one.className)";
    expect(await page.evaluate(wider)).toEqual([]);
    await takePictures(page, 'evaluation/german');
    await page.getByRole('table', { name: 'QUASARs Werte' }).scrollIntoViewIfNeeded();
    await takePictures(page, 'evaluation/german-scores', [1_280]);
    await noScrollingSideways(page);
    await open('/new');
    await page.getByText('Wie lang die Texte sind').waitFor();
    await takePictures(page, 'evaluation/german-new');
    await noScrollingSideways(page);
    await page.getByRole('link', { name: 'Dateien' }).click();
    await page.getByRole('table', { name: 'Veröffentlichte Dateien' }).waitFor();
    await takePictures(page, 'evaluation/german-files');
    await noScrollingSideways(page);
    await page.getByRole('link', { name: 'Verlauf' }).click();
    await page.getByRole('table', { name: 'Verlauf' }).waitFor();
    await takePictures(page, 'evaluation/german-history', [400]);
    await noScrollingSideways(page);
  });
});

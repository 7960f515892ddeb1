/** @module-tag long */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { noScrollingSideways, noViolations } from '../support/page-checks.ts';
import { takePictures } from '../support/pictures.ts';
import { SMOL } from '../support/screens/sample-audits.ts';
import { nodeId } from '../support/screens/sample-data.ts';
import type { ScriptedNode } from '../support/screens/scripted-node.ts';
import { openScriptedPage } from '../support/screens/scripted-page.ts';

const chromium = findChromium();
const REPORT = { name: 'found.json', mimeType: 'application/json', buffer: Buffer.from('{"worker":"x"}') };

describe.skipIf(!chromium)('the page of audits', () => {
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

  const open = () => page.goto(`${node.url}#/network/audits`);
  const told = () => node.data.audits;
  const workers = () => page.getByRole('table', { name: 'Workers that were looked at' });
  const section = (name: string) => page.getByRole('region', { name, exact: true });

  it('says in a sentence what came of it, and of each worker why', async () => {
    await open();
    await page.getByText('4 workers looked at, one found out').waitFor();
    const details = (id: string) => section(nodeId(id).slice(0, 8));
    await details('dead').getByText('It does not compute with the file that it declares.').waitFor();
    const reason = 'Distance of the likeliest tokens: 0.721 over 144 tokens. Honest workers stay below 0.190.';
    await details('dead').getByText(reason).waitFor();
    await details('dead')
      .getByText(/^Until .* this computer does not ask it. It counts as a newcomer here/)
      .waitFor();
    const rows = await workers().getByRole('row').allTextContents();
    expect(rows.map((row) => /Found out|Above the line|Nothing found|Too early|Not judged/.exec(row)?.[0])).toEqual([
      undefined,
      ...['Found out', 'Nothing found', 'Nothing found', 'Too early', 'Not judged'],
    ]);
    expect(rows[1]).toMatch(/^dead0000Qwen2.5 7B Q4_K_MFound outNewcomer until .*144.*ago0.721max 0.190/);
    await takePictures(page, 'audits/looked');
    await page.setViewportSize({ width: 1_920, height: 1_080 });
    await takePictures(page, 'audits/looked', [1_920]);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await workers().getByRole('button', { name: 'facade00' }).first().focus();
    await page.keyboard.press('Enter');
    await details('facade').getByText('Nothing speaks against it').waitFor();
    const means = details('facade').getByRole('table', { name: /^The means of this worker/ });
    expect(await means.getByRole('row').nth(1).allTextContents()).toEqual(['Likeliest0.0980.3100.1900.1400.110']);
    await means.getByRole('columnheader', { name: /^512.*counts now$/ }).waitFor();
    await noViolations(page);
    await noScrollingSideways(page);
  });

  it('draws workers beside the threshold, looked up with the arrow keys', async () => {
    await open();
    const figure = page.getByRole('figure', {
      name: /^Distance of the likeliest tokens by tokens looked at, for workers with Qwen2.5 7B Q4_K_M: 1 of 4 above/,
    });
    await figure.getByRole('application').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await figure.locator('[data-chart=tip]').getByText('dead0000').waitFor();
    expect(await figure.locator('[data-chart=tip]').textContent()).toBe(
      'dead0000Tokens144Likeliest0.721Threshold0.190VerdictFound out',
    );
    await takePictures(page, 'audits/chart', [1_280]);
    await page.keyboard.press('Escape');
    await page.getByRole('radiogroup', { name: 'What is measured' }).getByText('Otherwise').click();
    await page.getByRole('figure', { name: /^Tokens chosen otherwise by tokens/ }).waitFor();
    await page.getByRole('combobox', { name: 'File that they declare' }).click();
    await page.getByRole('option', { name: 'd0d0d0d0' }).click();
    await page.getByRole('figure', { name: /for workers with d0d0d0d0: 0 of 1 above/ }).waitFor();
    await noViolations(page);
  });

  it('saves a report once somebody knows that his own questions are in it', async () => {
    await open();
    await page.getByRole('button', { name: 'Save a report …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your own questions are in the report' });
    await dialog.getByText('word for word').waitFor();
    await noViolations(page);
    await takePictures(page, 'audits/save', [1_280]);
    expect(told().done).toEqual([]);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save the report' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('quarry-audit-dead0000.json');
    expect(JSON.parse(await readFile(await saved.path(), 'utf8'))).toEqual({ answers: [{}] });
    await dialog.waitFor({ state: 'detached' });
    expect(told().done).toEqual(['report dead']);
  });

  it('calibrates the loaded model, tells how far that is, and is cancelled', async () => {
    told().calibrations = told().calibrations.filter(({ model }) => model === SMOL);
    told().list = told().list.map((audit) => ({ ...audit, finding: null, newcomerUntil: null }));
    await open();
    await page.getByText('4 workers looked at, none judged yet').waitFor();
    await page.getByText('Qwen2.5 7B Q4_K_M is not calibrated').waitFor();
    await noViolations(page);
    await takePictures(page, 'audits/uncalibrated');
    await page.getByRole('button', { name: 'Calibrate' }).first().click();
    const bar = section('Calibration under way');
    await bar.getByText('Qwen2.5 7B Q4_K_M: 0 of 72 honest answers').waitFor();
    const run = (more: object) => {
      const { calibration } = told().now;
      if (!calibration) throw new Error('None is under way.');
      told().now = { ...told().now, calibration: { ...calibration, ...more } };
    };
    run({ done: 20, secondsLeft: 140 });
    await bar.getByText('20 of 72 honest answers · about 2 min left').waitFor();
    await noViolations(page);
    await takePictures(page, 'audits/calibrating');
    await bar.getByRole('button', { name: 'Cancel' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByText('Qwen2.5 7B Q4_K_M is not calibrated').waitFor();
    expect(told().done).toEqual(['calibrate', 'cancel']);
    await section('Calibration').getByRole('button', { name: 'Calibrate' }).click();
    await bar.waitFor();
    run({ state: 'failed', error: { code: 'ENGINE_UNAVAILABLE', message: 'The engine has died.' } });
    await page.getByRole('alert').getByText('The engine has died.').waitFor();
    await takePictures(page, 'audits/failed', [1_280]);
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await bar.waitFor();
    const { own } = told().now;
    const [known] = told().calibrations;
    if (own.state !== 'ready' || !known) throw new Error('The sample has no model.');
    told().calibrations = [{ ...known, model: own.model, name: own.name, at: Date.now() }, known];
    run({ state: 'done', done: 72 });
    await page.getByText('Qwen2.5 7B Q4_K_M is calibrated.').waitFor();
    const table = section('Calibration').getByRole('table', { name: 'Thresholds' });
    await expect.poll(() => table.getByRole('row').count()).toBe(9);
    await section('Calibration').getByRole('button', { name: 'Calibrate again' }).waitFor();
  });

  it('looks at somebody’s report, tells how far it is, and what came of it in words', async () => {
    await open();
    const others = section('Somebody’s report');
    const bring = () => others.locator('..').locator('input[type=file]').setInputFiles(REPORT);
    told().repeats = 2;
    await bring();
    const says = 'It says: Tokens chosen otherwise: 49.4% over 144 tokens. Honest workers stay below 21.0%.';
    await others.getByText(says).waitFor();
    await others.getByRole('button', { name: 'Look for myself' }).click();
    await others.getByText('2 of 3 answers read').waitFor();
    await others.scrollIntoViewIfNeeded();
    await noViolations(page);
    await takePictures(page, 'audits/repeating', [1_280]);
    await page.getByRole('link', { name: 'Blocked', exact: true }).click();
    await page.getByRole('link', { name: 'Audits', exact: true }).click();
    await others.getByText('2 of 3 answers read').waitFor();
    await others.getByRole('button', { name: 'Cancel' }).click();
    told().repeats = Number.POSITIVE_INFINITY;
    await others.getByRole('button', { name: 'Look for myself' }).click();
    await others.getByText('Found out here, too').waitFor();
    await others.getByText('Distance of the likeliest tokens: 0.744 over 144 tokens.').waitFor();
    await others.getByText('Whoever wrote the report has chosen which answers are in it').waitFor();
    await others.scrollIntoViewIfNeeded();
    await takePictures(page, 'audits/repeated');
    told().result = { answers: 3, tokens: 144, top: 0.02, chosen: 0.01, mismatches: 0.007, finding: null };
    await others.getByRole('button', { name: 'Look again' }).click();
    await others.getByText('Nothing found here').waitFor();
    told().result = { ...told().result, tokens: 20 };
    await others.getByRole('button', { name: 'Look again' }).click();
    await others.getByText('The report has answers of 20 tokens; it takes 32.').waitFor();
    await others.getByRole('button', { name: 'Close' }).click();
    await others.getByText('It says:').waitFor({ state: 'detached' });
    await expect.poll(() => told().done).toEqual(['bring 14', 'discard']);
  });

  it('says what stands in the way of a report', async () => {
    await open();
    const others = section('Somebody’s report');
    const bring = () => others.locator('input[type=file]').setInputFiles(REPORT);
    told().brought = null;
    await bring();
    await others.getByRole('alert').getByText('This is no report about a worker.').waitFor();
    await others.scrollIntoViewIfNeeded();
    await noViolations(page);
    await takePictures(page, 'audits/no-report', [1_280]);
    const report = { worker: nodeId('bad1'), answers: 3, tokens: 144 };
    const finding = { measure: 'top', found: 0.5, threshold: 0.2, tokens: 144 } as const;
    const [here] = node.data.localModels;
    told().brought = { ...report, finding, model: here?.sha256 ?? '' };
    await bring();
    await others.getByText('Another model is loaded').waitFor();
    expect(await others.getByRole('button', { name: 'Look for myself' }).isDisabled()).toBe(true);
    await others.getByRole('button', { name: /^Load / }).waitFor();
    await others.scrollIntoViewIfNeeded();
    await takePictures(page, 'audits/other-model');
    told().brought = { ...report, finding, model: 'ee'.repeat(32) };
    await bring();
    await others.getByText('The file that this is about is not here').waitFor();
  });

  it('says what is missing where nobody was looked at, and goes to ask the mesh', async () => {
    told().list = [];
    told().now = { own: { state: 'none' }, calibration: null };
    await open();
    await page.getByText('Nobody was looked at yet').waitFor();
    await page.getByText('No model is loaded').waitFor();
    await page.getByRole('button', { name: 'Load the model' }).waitFor();
    await noViolations(page);
    await takePictures(page, 'audits/not-loaded', [1_280]);
    told().now = { own: { state: 'elsewhere', name: 'llama3.1:8b' }, calibration: null };
    await page.getByText('This computer’s model runs elsewhere').waitFor();
    await page.getByRole('link', { name: 'Choose a model' }).waitFor();
    await takePictures(page, 'audits/elsewhere', [1_280]);
    told().now = { own: { state: 'otherwise', name: 'smollm2-135m-instruct-q4_1' }, calibration: null };
    await page.getByText('SmolLM2 135M Q4_1 has a smaller cache').waitFor();
    expect(await page.getByRole('button', { name: /^Calibrate/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Open the settings' }).waitFor();
    await takePictures(page, 'audits/otherwise', [1_280]);
    const [known] = told().calibrations;
    if (!known) throw new Error('The sample has no calibration.');
    told().now = { own: { state: 'ready', name: known.name, model: known.model }, calibration: null };
    await page.getByText('Nothing was asked yet').waitFor();
    await noViolations(page);
    await takePictures(page, 'audits/nobody');
    await noScrollingSideways(page);
    await page.getByRole('button', { name: 'Ask the mesh' }).click();
    await page.getByText('The mesh').first().waitFor();
    expect(page.url()).toContain('#/playground');
    expect(await page.evaluate('sessionStorage.getItem("quarry-playground")')).toContain('"target":"mesh"');
  });

  it('shows why nothing is shown, and what there is once there is an answer', async () => {
    node.data.failures['audits.list'] = { code: 'INTERNAL', message: 'The database is damaged.' };
    await open();
    await page.getByRole('alert').getByText('The database is damaged.').waitFor();
    await takePictures(page, 'audits/error', [1_280]);
    delete node.data.failures['audits.list'];
    await page.getByRole('button', { name: 'Try again' }).click();
    await workers().waitFor();
  });

  it('keeps what is shown where the node is gone', async () => {
    await open();
    await workers().waitFor();
    await node.close();
    await page.getByText('No connection to Quarry.').waitFor();
    await page.getByText('4 workers looked at, one found out').waitFor();
    expect(await workers().getByRole('row').count()).toBe(6);
    await expect.poll(() => page.getByRole('button', { name: 'Save a report …' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Calibrate again' }).isDisabled()).toBe(true);
    await takePictures(page, 'audits/gone', [1_280]);
    await page.close(); // it tries again all the time, and the browser complains each time
    complaints.length = 0;
  });

  it('has no room beside the list on a phone: details come as a sheet', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await open();
    await workers().getByRole('button', { name: 'dead0000' }).click();
    const sheet = page.getByRole('dialog', { name: 'Worker' });
    await sheet.getByText('It does not compute with the file that it declares.').waitFor();
    await noViolations(page);
    await takePictures(page, 'audits/sheet', [400]);
    await sheet.getByRole('button', { name: 'Save a report …' }).click();
    await page.getByRole('dialog', { name: 'Your own questions are in the report' }).waitFor();
    await noViolations(page);
    await takePictures(page, 'audits/save', [400]);
  });

  it('speaks German', async () => {
    const { settings } = node.data.settings;
    node.data.settings = {
      ...node.data.settings,
      settings: settings.map((one) => (one.path === 'language' ? { ...one, value: 'de' } : one)),
    };
    await open();
    await page.getByText('4 Worker angesehen, einer überführt').waitFor();
    await section('dead0000').getByText('Abstand der wahrscheinlichsten Token: 0,721 über 144 Token.').waitFor();
    await noViolations(page);
    await noScrollingSideways(page);
    await takePictures(page, 'audits/german');
    await page.getByRole('heading', { name: 'Was sich nicht finden lässt' }).scrollIntoViewIfNeeded();
    await takePictures(page, 'audits/german-below');
    const words = await page.locator('main').textContent();
    expect(words).not.toMatch(/\b(?:the|of|is|worker was|tokens|Found|Nothing|Calibrat)\b/);
  });
});

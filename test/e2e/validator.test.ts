import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MinerMean } from '../../src-main/store/results/score-tally.ts';
import { say, told } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import {
  newValidator,
  openedSample,
  replayedSample,
  sampleMeans,
  sampleResults,
  sampleRun,
} from '../support/screens/sample-validator.ts';
import type { ScriptedNode } from '../support/screens/scripted-node.ts';
import { openScriptedPage } from '../support/screens/scripted-page.ts';
import { until } from '../support/until.ts';

const chromium = findChromium();
const HOTKEY = '5Dt7iJxvvtVkuBVMyqKtNFLG7vqoykNwWPr9Y3gjeAhzsdKz';
/** Until a button says that something was copied, which it does for a moment only. */
const SAYS_COPIED = `new Promise((told) => {
  const buttons = () => [...document.querySelectorAll('button')];
  const look = () => buttons().some(({ textContent, ariaLabel }) => (ariaLabel ?? textContent) === 'Copied') && told();
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})`;
/** What a miner may answer. */
const HOSTILE = `<img src=x onerror="document.title='owned'"> [link](javascript:1) ‮drawkcab‬ ${'A'.repeat(50_000)}`;

describe.skipIf(!chromium)('the page of a validator', () => {
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
    const preset = node.data.settings.settings.find(({ path }) => path === 'validator.preset');
    if (preset) preset.value = '2025-09-03'; // one winner for each set of tasks: its figures are easily reckoned
  });

  afterEach(async () => {
    await page.close();
    await node.close();
    expect(complaints).toEqual([]);
  });

  const open = (path = '') => page.goto(`${node.url}#/validator${path}`);
  const table = (name: string) => page.getByRole('table', { name, exact: true });
  const row = (name: string | RegExp) => table('Leaderboard').getByRole('row', { name });
  const figure = (label: string) => page.locator('dl > div', { hasText: label });

  it('ranks miners, says how sure that is, and why one leads', async () => {
    await open();
    const first = row(/^1 a41c…7e02/);
    await first.getByRole('img', { name: '72%, between 70% and 74%' }).waitFor();
    await first.getByText('99.0%').waitFor();
    await row(/^3 coder-7b/)
      .getByText('< 0.1%')
      .waitFor();
    await page.getByRole('heading', { name: 'Why a41c…7e02 leads' }).waitFor();
    await page.getByText('On no task is it worse than 7d93…c1b8, and on 3 it is better.').waitFor();
    await page.getByRole('img', { name: 'SAT: 91 against 84 percent' }).waitFor();
    await page.getByText('5 sets of 4 tasks', { exact: true }).waitFor();
    await page.getByText('It wins 5 of the 5 sets of 4 tasks.').waitFor();
    const each = page.getByText('It wins HVM, SAT: there it dominates 5 of 5 others.');
    expect(await each.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'All 27 sets' }).click();
    await each.waitFor();
    expect(await figure('Miners ranked').textContent()).toContain('6of 7');
    await figure('Weights set').waitFor();
  });

  it('has those that lack results last, without a place, with what they lack and until when', async () => {
    await open();
    const last = row(/Qwen3 4B/);
    await last.getByText(/^560 to go · .* hrs?$/).waitFor();
    expect(await table('Leaderboard').getByRole('row').last().textContent()).toContain('–Qwen3 4B');
    await last.getByRole('button').click();
    await page.getByRole('heading', { name: 'Qwen3 4B is not ranked yet' }).waitFor();
    await page.getByText(/^Needs 560 more results, about/).waitFor();
    await page.getByText('42, 112 more needed').first().waitFor();
    node.data.validator.run = { ...sampleRun, status: 'stopped', since: null };
    await last.getByText('560 to go', { exact: true }).waitFor();
  });

  it('shows one task alone, on an axis of its own', async () => {
    await open();
    await page.getByText('SAT', { exact: true }).first().click();
    await row(/^1 a41c…7e02/)
      .getByRole('img', { name: '91%, between 88% and 94%' })
      .waitFor();
  });

  it('leads a newcomer to the model of this computer, keeps what comes of that, and can be cancelled', async () => {
    node.data.validator = { ...newValidator(), practiceMs: 20 };
    await open();
    await page.getByText('Nobody has been asked yet').waitFor();
    expect(await page.getByText('Challenges today').count()).toBe(0);
    await page.getByRole('link', { name: 'Try this computer’s model' }).click();
    await page.getByText('Qwen2.5 7B is asked.').waitFor();
    expect(await page.getByRole('switch', { name: 'Keep the results' }).isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'DED' }).uncheck();
    await page.getByRole('textbox', { name: 'Challenges of each task' }).fill('4');
    await page.getByText('16 in all').waitFor();
    await page.getByRole('button', { name: 'Ask the model' }).click();
    await page.getByText('All 16 are judged.').waitFor();
    const judged = table('What came of it').getByRole('row', { name: /^SAT/ });
    await judged.getByText('2 of 4').waitFor();
    await judged.getByRole('img', { name: '50%, between 15% and 85%' }).waitFor();
    node.data.validator.practiceMs = 60_000;
    await page.getByRole('button', { name: 'Ask the model' }).click();
    await page.getByText('0 of 16 judged').waitFor();
    await page.getByRole('link', { name: 'Miners', exact: true }).click();
    await page.getByRole('link', { name: 'Try it', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Ended after 0 of 16.').waitFor();
  });

  it('says that nobody has enough results, and takes fewer where that is wanted', async () => {
    node.data.validator.means = sampleMeans.map((mean): MinerMean => ({ ...mean, count: 40 }));
    await open();
    await page.getByText('Nobody has enough results to be ranked yet').waitFor();
    await page.getByRole('button', { name: 'Rank from 30 results on' }).click();
    await row(/^1 a41c…7e02/).waitFor();
    const preset = node.data.settings.settings.find(({ path }) => path === 'validator.preset');
    expect(preset?.value).toBe('home');
  });

  it('starts and stops asking, with what keeps it from going on, and that there is nobody to ask', async () => {
    node.data.validator = newValidator();
    await open('/miners');
    const run = page.getByRole('region', { name: 'Asking miners' });
    await run.getByText('Not running').waitFor();
    const message = 'The database is away.';
    node.data.failures['validator.start'] = { code: 'DATABASE_UNREACHABLE', message, retryable: true };
    await run.getByRole('button', { name: 'Start' }).click();
    await run.getByRole('alert').getByText(message).waitFor();
    delete node.data.failures['validator.start'];
    await run.getByRole('button', { name: 'Start' }).click();
    await run.getByText('There is nobody to ask.').waitFor();
    const fault = told({ text: say('validation.axon.noWallet') });
    node.data.validator.run = { ...node.data.validator.run, minerCount: 1, fault };
    await run.getByRole('status').filter({ hasText: 'Axons are asked by a hotkey, and none is set.' }).waitFor();
    await run.getByRole('button', { name: 'Stop' }).click();
    await run.getByText('Not running').waitFor();
  });

  it('shows a challenge with its answer and its reason, replays it, and copies it as JSON', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('/challenges');
    await page.getByRole('combobox', { name: 'All outcomes' }).click();
    await page.getByRole('option', { name: 'Right' }).click();
    const inspector = page.getByRole('region', { name: /, number \d+$/ });
    await inspector.getByText('All 63 clauses hold.').waitFor();
    await inspector.getByRole('button', { name: 'Replay' }).click();
    await inspector.getByText('As it was signed: the same challenge, and the same judgement.').waitFor();
    const saysSo = page.evaluate(SAYS_COPIED);
    await inspector.getByRole('button', { name: 'Copy as JSON' }).click();
    await saysSo;
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(JSON.parse(copied)).toMatchObject({ level: 'usual', score: 1, signer: 'f0'.repeat(32) });
    await inspector.getByRole('button', { name: /^Show all 1,\d+ characters/ }).click();
    await page
      .getByRole('dialog', { name: 'What was asked' })
      .getByText(/Give a value to every variable/)
      .waitFor();
  });

  it('shows what a miner wrote as nothing but a text, and what was changed behind its signature not at all', async () => {
    node.data.validator.opened = (result) => ({ ...openedSample(result), answer: HOSTILE, answerLength: 60_000 });
    await open('/challenges');
    const inspector = page.getByRole('region', { name: 'ELR, number 1284' });
    await inspector.getByText('<img src=x onerror=').waitFor();
    await inspector.getByText(/^Only the beginning was kept, [\d,]+ of 60,000 characters/).waitFor();
    await inspector.getByRole('button', { name: /^Show all 50,\d+ characters/ }).click();
    await page.getByRole('dialog', { name: 'Answer' }).getByText('<img src=x onerror=').waitFor();
    expect(await page.locator('main img[src], [role=dialog] img, a[href^=javascript]').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    node.data.validator.opened = (result) => ({
      ...openedSample(result),
      ...{ standing: 'forged', prompt: null, answer: null, reason: null },
    });
    node.data.validator.replayed = (result) => ({
      ...replayedSample(result),
      ...{ verdict: 'forged', ...told({ text: say('validation.replay.forged') }) },
    });
    await table('Challenges').getByRole('row').nth(2).getByRole('button').click();
    await page.getByText('This is not as it was signed').waitFor();
    expect(await page.getByText('What was asked').count()).toBe(0);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('It is not as it was signed: something was changed').waitFor();
  });

  it('keeps rows where they are while new challenges come, tells of them, and pages through many', async () => {
    node.data.validator.results = sampleResults(10_000);
    node.data.failures['validator.weigh'] = { code: 'INTERNAL', message: 'No weights.' }; // they know only what is asked now
    await open('/challenges');
    const rows = table('Challenges').locator('tbody tr');
    await page.getByRole('heading', { name: 'ABD, number 10000' }).waitFor();
    expect(await rows.count()).toBe(50);
    const top = (await rows.first().boundingBox())?.y;
    node.data.validator.results = sampleResults(10_003);
    node.data.validator.run = { ...sampleRun, answered: sampleRun.answered + 3 };
    await page.getByRole('button', { name: '3 new' }).waitFor();
    expect((await rows.first().boundingBox())?.y).toBe(top);
    await page.getByRole('heading', { name: 'ABD, number 10000' }).waitFor();
    await page.getByRole('button', { name: '3 new' }).click();
    await until(async () => expect(await rows.first().textContent()).toContain('SAT'));
    await page.getByRole('button', { name: 'Older' }).click();
    await until(async () => expect(await page.getByRole('button', { name: 'Newer' }).isEnabled()).toBe(true));
    expect(await rows.count()).toBe(50);
    await page.getByRole('combobox', { name: 'All miners' }).click();
    await page.getByRole('option', { name: 'coder-7b' }).click();
    await until(async () =>
      expect(new Set(await rows.locator('td:nth-child(2)').allTextContents())).toEqual(new Set(['coder-7b'])),
    );
  });

  it('adds a miner with a key that is never shown, changes it, and removes it once that was asked', async () => {
    node.data.validator = newValidator();
    await open('/miners');
    await page.getByText('Nobody to ask yet').waitFor();
    await page.getByRole('button', { name: 'Add a miner' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a miner' }).click();
    await dialog.getByText('Give it a name.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('two words');
    await dialog.getByText('Letters, digits, dots, dashes and underscores only.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('gpu-box');
    await dialog.getByRole('textbox', { name: 'Address' }).fill('http://gpu.example:8000/v1');
    await dialog.getByText('all on the way can read what is sent there').waitFor();
    await dialog.getByLabel('Key, if it wants one').fill('sesame');
    await dialog.getByRole('textbox', { name: 'Hotkey' }).fill(` ${HOTKEY} `);
    await dialog.getByRole('button', { name: 'Add a miner' }).click();
    await dialog.waitFor({ state: 'detached' });
    const inspector = page.getByRole('region', { name: 'gpu-box' });
    await inspector.getByText('http://gpu.example:8000/v1').waitFor();
    await inspector.getByText('Kept').waitFor();
    await inspector.getByText(HOTKEY).waitFor();
    await inspector.getByRole('button', { name: 'Check' }).click();
    await inspector.getByText('It works: answered in 1.2 s.').waitFor();
    await inspector.getByText('Its model is its first.').waitFor();
    const away = 'Nobody answers at gpu.example:8000.';
    node.data.failures['validator.checkMiner'] = { code: 'ENGINE_UNAVAILABLE', message: away };
    await inspector.getByRole('button', { name: 'Check' }).click();
    await inspector.getByRole('alert').getByText(away).waitFor();
    await inspector.getByRole('button', { name: 'Change' }).click();
    const message = 'This is not a Bittensor address.';
    node.data.failures['validator.addMiner'] = { code: 'BAD_REQUEST', message, field: 'hotkey' };
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(message).waitFor();
    delete node.data.failures['validator.addMiner'];
    await dialog.getByRole('textbox', { name: 'Hotkey' }).fill('');
    expect(await dialog.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
    expect(await dialog.getByLabel('Key, if it wants one').inputValue()).toBe('');
    await dialog.getByRole('textbox', { name: 'Model' }).fill('qwen3');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const changed = { name: 'gpu-box', model: 'qwen3', hotkey: null };
    await until(() => expect(node.data.validator.endpoints).toMatchObject([changed]));
    await inspector.getByText('None: no weight on the chain').waitFor();
    await inspector.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('Its results stay').waitFor();
    await dialog.getByRole('button', { name: 'Remove the miner' }).click();
    await page.getByText('Nobody to ask yet').waitFor();
    expect(node.data.validator.endpoints).toEqual([]);
  });

  it('tells of each miner by what way it is asked, and why one gave no answer', async () => {
    await open('/miners');
    await page.getByText(/ · 1,248 answers · 36 unanswered · 7 not reached$/).waitFor();
    const failing = table('Miners').getByRole('row', { name: /^5FHn…94ty/ });
    await failing.getByText('No answer').waitFor();
    await failing.getByRole('button').click();
    await page.getByText('The axon did not answer: 503 overloaded').waitFor();
    await page.getByText('Not reached', { exact: true }).waitFor();
    await table('Miners').getByRole('rowheader', { name: 'On the mesh' }).waitFor();
    await page.getByRole('link', { name: 'See its challenges' }).click();
    await table('Challenges').waitFor();
    expect(await page.getByRole('combobox', { name: 'All miners' }).inputValue()).toBe('5FHn…94ty');
  });

  it('sets, changes and takes away the hotkey of a worker of the mesh, also of one that is not asked now', async () => {
    const { run, hotkeys } = node.data.validator;
    const [worker] = hotkeys;
    node.data.validator.run = { ...run, miners: run.miners.filter(({ miner }) => miner !== worker?.miner) };
    await open('/miners');
    await table('Miners')
      .getByRole('row', { name: /^a41c…7e02/ })
      .getByRole('button')
      .click();
    const inspector = page.getByRole('region', { name: 'a41c…7e02' });
    await inspector.getByText(worker?.hotkey ?? '').waitFor();
    await inspector.getByRole('button', { name: 'Change its hotkey' }).click();
    const dialog = page.getByRole('dialog');
    const message = 'This hotkey stands for «endpoint/coder-7b» already.';
    node.data.failures['validator.setHotkey'] = { code: 'BAD_REQUEST', message, field: 'hotkey' };
    await dialog.getByRole('textbox', { name: 'Hotkey' }).fill(HOTKEY);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(message).waitFor();
    delete node.data.failures['validator.setHotkey'];
    await dialog.getByRole('button', { name: 'Save' }).click();
    await inspector.getByText(HOTKEY).waitFor();
    await inspector.getByRole('button', { name: 'Change its hotkey' }).click();
    await dialog.getByRole('textbox', { name: 'Hotkey' }).fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until(() => expect(node.data.validator.hotkeys).toEqual([]));
  });

  it('says of a miner whose model it names, and which hotkey stands for whom', async () => {
    const [, copy] = sampleRun.miners;
    const [first] = sampleRun.miners;
    node.data.validator.standings = { [copy?.miner ?? '']: { since: 9, copyOf: first?.miner ?? '' } };
    await open();
    await page.getByRole('heading', { name: 'Why a41c…7e02 leads' }).waitFor();
    await page.getByText(node.data.validator.hotkeys[0]?.hotkey ?? '').waitFor();
    await row(/7d93…c1b8/)
      .getByRole('button')
      .click();
    await page.getByRole('heading', { name: 'Why 7d93…c1b8 has no weight' }).waitFor();
    await page.getByText('It names the same model as a41c…7e02, which committed first: only the first').waitFor();
  });

  it('of 1,000 miners only some are in the page', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `${String(at).padStart(4, '0')}${'ab'.repeat(30)}`);
    const [asked] = sampleRun.miners;
    if (!asked) throw new Error('The sample lacks miners.');
    node.data.validator.run = { ...sampleRun, miners: many.map((miner) => ({ ...asked, miner })), minerCount: 1_200 };
    node.data.validator.means = many.flatMap((miner, at) =>
      sampleMeans.slice(0, 5).map((mean): MinerMean => ({ ...mean, miner, mean: (at % 100) / 100 })),
    );
    await open();
    await row(/^1 /).waitFor();
    expect(await table('Leaderboard').locator('tbody tr').count()).toBe(50);
    await page.getByRole('button', { name: 'Next page' }).click();
    await row(/^51 /).waitFor();
    await page.getByRole('link', { name: 'Miners', exact: true }).click();
    await page.getByText('200 more are asked and not shown.').waitFor();
    expect(await table('Miners').locator('tbody tr').count()).toBeLessThanOrEqual(53);
  });

  it('shows what other rules would change, and keeps them only when that is wanted', async () => {
    await open('/weights');
    const first = table('Weights').getByRole('row', { name: /^a41c…7e02/ });
    await first.getByText('98.97%').waitFor();
    await page.getByRole('combobox', { name: 'Sets of tasks are worth' }).click();
    await page.getByRole('option', { name: 'Twice as much a step' }).click();
    await page.getByText('Shown as it would be.').waitFor();
    await until(async () => expect(await first.textContent()).not.toContain('98.97%'));
    const layers = () => node.data.settings.settings.find(({ path }) => path === 'validator.layers')?.value;
    expect(layers()).toBeUndefined();
    await page.getByRole('button', { name: 'Back to those that are set' }).click();
    await first.getByText('98.97%').waitFor();
    await page.getByRole('textbox', { name: 'Burned' }).fill('50');
    await table('Weights')
      .getByRole('row', { name: /^Goes to nobody/ })
      .getByText('50.00%')
      .waitFor();
    await page.getByRole('button', { name: 'Keep these rules' }).click();
    await page.getByText('Shown as it would be.').waitFor({ state: 'detached' });
    expect(node.data.settings.settings.find(({ path }) => path === 'validator.burn')?.value).toBe(0.5);
  });

  it('says how the weights come to the chain, and what keeps them from it', async () => {
    await open('/weights');
    const section = page.getByRole('region', { name: 'On the chain' });
    await section.getByText('Miners with a weight').waitFor();
    await section.getByText('main/default').waitFor();
    await section.getByText('5FHn…94ty').waitFor();
    const message = 'The hotkey is not registered.';
    node.data.failures['validator.setWeights'] = { code: 'BAD_REQUEST', message, retryable: false };
    await section.getByRole('button', { name: 'Set now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Set now' }).click();
    await section.getByRole('alert').getByText(message).waitFor();
    const fault = told({ text: say('validation.weights.tooFew') });
    node.data.validator.run = { ...sampleRun, weights: { ...sampleRun.weights, fault } };
    await section.getByText('Weights are not being set').waitFor();
    await page.getByRole('link', { name: 'Leaderboard', exact: true }).click();
    await page.getByText('Nobody on the subnet has enough results yet: no weights are set.').waitFor();
    await figure('Weights set').getByText('Not being set').waitFor();
  });

  it('asks for the subnet where none is chosen, without a word of trying again', async () => {
    const fault = told({ text: say('validation.weights.noSubnet') });
    node.data.validator.run = { ...sampleRun, weights: { ...sampleRun.weights, netuid: null, fault } };
    await open('/weights');
    const section = page.getByRole('region', { name: 'On the chain' });
    await section.getByText('Choose the subnet below.', { exact: true }).waitFor();
    expect(await section.textContent()).not.toContain('tries again');
    await page.getByRole('link', { name: 'Leaderboard', exact: true }).click();
    const note = page.getByRole('status').filter({ hasText: 'Weights are not being set' });
    await note.getByText('Weights are set on a subnet, and none is chosen.').waitFor();
    expect(await note.textContent()).not.toContain('tries again');
    await note.getByRole('link', { name: 'Choose it under Weights' }).click();
    await section.waitFor();
  });

  it('keeps what is known while the connection is lost, and reaches everything with the keyboard', async () => {
    await open();
    await row(/^1 a41c…7e02/).waitFor();
    await row(/^2 7d93…c1b8/)
      .getByRole('button')
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Why 7d93…c1b8 has 1.0%' }).waitFor();
    node.cut();
    await row(/^1 a41c…7e02/).waitFor();
    await page.getByRole('heading', { name: 'Why 7d93…c1b8 has 1.0%' }).waitFor();
  });

  it('is there at once on a node that is a validator: the welcome leads to mining', async () => {
    const { settings } = node.data.settings;
    const set = (name: string, value: unknown) => {
      const setting = settings.find(({ path }) => path === name);
      if (!setting) throw new Error(`the sample has no ${name}`);
      setting.value = value;
    };
    set('showWelcome', true);
    set('role', 'validator');
    node.data.status = { ...node.data.status, role: 'validator', mining: undefined };
    await open();
    await row(/^1 a41c…7e02/).waitFor();
    await page.getByRole('status').getByText('Validator', { exact: true }).waitFor({ state: 'attached' });
  });

  it('says once that the node is away, and no more than that', async () => {
    await open();
    await row(/^1 a41c…7e02/).waitFor();
    await node.close();
    await page.getByText('No connection to Quarry.').waitFor();
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    complaints = complaints.filter((text) => !/WebSocket|ERR_CONNECTION_(REFUSED|RESET)/.test(text));
  });
});

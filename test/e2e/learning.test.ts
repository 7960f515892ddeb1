/** @module-tag long */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorView } from '../../src-main/base/error-view.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, told } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { noScrollingSideways, noViolations } from '../support/page-checks.ts';
import { takePictures } from '../support/pictures.ts';
import { doesNotFit, learningNow, newLearning } from '../support/screens/sample-learning.ts';
import type { ScriptedNode } from '../support/screens/scripted-node.ts';
import { openScriptedPage } from '../support/screens/scripted-page.ts';

const chromium = findChromium();

describe.skipIf(!chromium)('the page of learning', () => {
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

  const open = (place = '') => page.goto(`${node.url}#/learning${place}`);
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  const done = () => node.data.learning.done;

  it('says what is learnt and how well, what was not taken and why, and how the last try went', async () => {
    await open();
    const learnt = section('What it has learnt');
    await learnt.getByText('You said: «Be shorter: one sentence.»').waitFor();
    await learnt.getByText('90% of its answers to other questions are so now, 10% before.').first().waitFor();
    expect(await learnt.getByText('backwards').count()).toBe(0);
    const refused = section('What was not taken');
    await refused.getByText('You said: «Write everything backwards.»').waitFor();
    await refused.getByText('It has forgotten: of 20 facts it knew 17 and knows 6.').waitFor();
    const last = section('The last try');
    await last.getByText('Context distillation', { exact: true }).waitFor();
    await last.getByText('0.9 Wh').waitFor();
    await last.getByText('Messages find their way').waitFor();
    await last.getByRole('figure', { name: /^Wanted and known in %, step by step: Answers as wanted 90%/ }).waitFor();
    await noViolations(page);
    await takePictures(page, 'learning/overview');
    await noScrollingSideways(page);
    await last.getByRole('heading', { name: 'Step by step' }).scrollIntoViewIfNeeded();
    await takePictures(page, 'learning/last-try', [1_920]);
  });

  it('tells why it waits, learns when it is told to, and is paused and cancelled', async () => {
    await open();
    const now = section('How learning stands');
    await now.getByText('It waits until nobody is being answered.').waitFor();
    await now.getByRole('button', { name: 'Learn now' }).click();
    await expect.poll(done).toEqual(['start']);
    node.data.learning.now = learningNow;
    await now.getByText('Looking: 24 of 61 answers · Step 5 of at most 16 · 34 s of computing · 0.4 Wh').waitFor();
    await now.getByRole('img', { name: '31% of the steps' }).waitFor();
    await now.getByText('You said: «No emoji.»').waitFor();
    await takePictures(page, 'learning/under-way');
    const { run } = learningNow;
    const progress = { doing: 'sampling' as const, done: 3, of: 29 };
    node.data.learning.now = { ...learningNow, run: run && { ...run, state: 'sampling', step: 0 }, progress };
    await now.getByRole('img', { name: 'Sampling: 3 of 29 questions' }).waitFor();
    await now.getByRole('button', { name: 'Pause' }).click();
    await now.getByRole('button', { name: 'Go on' }).waitFor();
    await now.getByText('Nothing is lost.').waitFor();
    await now.getByRole('button', { name: 'Cancel' }).click();
    await now.getByText('Held', { exact: true }).waitFor();
    expect(done()).toEqual(['start', 'pause', 'cancel']);
  });

  it('lists what waits, and takes it back', async () => {
    await open();
    const waiting = section('What waits to be learnt');
    await waiting.getByText('About «How do I keep bread fresh?»').waitFor();
    await waiting.getByRole('button', { name: 'Withdraw: You said: «No emoji.»' }).click();
    await waiting.waitFor({ state: 'detached' });
    expect(done()).toEqual(['withdraw 12']);
    expect(await page.getByRole('button', { name: 'Learn now' }).isDisabled()).toBe(true);
  });

  it('has what was not taken tried again', async () => {
    await open();
    const refused = section('What was not taken');
    await refused.getByRole('button', { name: 'Try again' }).click();
    await section('What waits to be learnt').getByText('Write everything backwards.').waitFor();
    await refused.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
    expect(done()).toEqual(['retry 7']);
  });

  it('goes back to the version before with one click, and forth again', async () => {
    await open();
    const inUse = section('In use');
    await inUse.getByText('Undo goes back to personal@1 at once. personal@2 is kept.').waitFor();
    await inUse.getByRole('button', { name: 'Undo' }).click();
    await inUse.getByText('Undo goes back to the model as it is').waitFor();
    await section('What it has learnt').getByText('Be shorter').waitFor({ state: 'detached' });
    await inUse.getByRole('button', { name: 'Undo' }).click();
    await inUse.getByText('The model as it is answers').waitFor();
    await page.getByText('Nothing that was learnt is in use').waitFor();
    expect(await inUse.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await inUse.getByText('Redo goes on to personal@1, at once.').waitFor();
    await inUse.getByRole('button', { name: 'Redo' }).click();
    await inUse.getByText(/^personal@1 is in use/).waitFor();
    expect(done()).toEqual(['undo', 'undo', 'redo']);
  });

  it('says how to begin where nothing was said, and keeps answers where that was off', async () => {
    node.data.learning = newLearning();
    await open();
    await page.getByText('Nothing is learnt yet').waitFor();
    expect(await page.getByRole('link', { name: 'Open the playground' }).getAttribute('href')).toBe('#/playground');
    await page.getByText('There is no new feedback.').waitFor();
    await takePictures(page, 'learning/new');
    node.data.learning.status.keeps = false;
    await page.getByText('Answers are not kept').waitFor();
    await takePictures(page, 'learning/off');
    await page.getByRole('button', { name: 'Keep answers' }).click();
    const keep = () => node.data.settings.settings.find(({ path }) => path === 'learning.keep')?.origin;
    await expect.poll(keep).toBe('app');
  });

  it('says that a node without a model learns nothing', async () => {
    const hint = say('node.asMiner');
    node.data.failures['learning.follow'] = errorView(
      new QuarryError({ code: 'NOT_RUNNING', message: say('learning.notHere'), hint }),
    );
    await open();
    await page.getByText('This node runs no model, so none learns here.').waitFor();
    await takePictures(page, 'learning/not-here');
    complaints.length = 0;
  });

  it('leads to all of its settings', async () => {
    await open();
    await page.getByRole('combobox', { name: 'When to learn' }).selectOption('At once');
    await expect
      .poll(() => node.data.settings.settings.find(({ path }) => path === 'learning.when')?.value)
      .toBe('always');
    await page.getByRole('link', { name: 'All settings of learning' }).click();
    await page.waitForURL(/#\/settings\/all$/);
    expect(await page.getByRole('searchbox').inputValue()).toBe('learning.');
  });

  it('has every try in its history, and shows the one that somebody came for', async () => {
    await open();
    await section('What was not taken').getByRole('link', { name: 'How it went' }).click();
    const table = page.getByRole('table', { name: 'History' });
    await table.getByRole('row', { name: /Be shorter/ }).waitFor();
    const details = page.getByRole('region', { name: /^Try of/ });
    await details.getByText('Answers are gibberish').waitFor();
    await details.getByText('1.7 Wh').waitFor();
    await table.getByRole('button', { name: /My name is Ada/ }).click();
    await details.getByText('SDPO', { exact: true }).waitFor();
    await details.getByText('not measured here').waitFor();
    await noViolations(page);
    await takePictures(page, 'learning/history');
    await noScrollingSideways(page);
  });

  it('shows versions along a line, uses another one, compares two, and deletes the one in use', async () => {
    await open('/versions');
    const table = page.getByRole('table', { name: 'Versions' });
    await table.getByRole('row', { name: /personal@2.*In use/ }).waitFor();
    await noViolations(page);
    await takePictures(page, 'learning/versions');
    await noScrollingSideways(page);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await table.getByRole('button', { name: 'personal@1' }).click();
    const details = page.getByRole('region', { name: 'personal@1' });
    await details.getByText('You said: «My name is Ada. Use it.»').waitFor();
    await details.getByRole('button', { name: 'Use this version' }).click();
    await table.getByRole('row', { name: /personal@1.*In use/ }).waitFor();
    await details.getByText('Your questions are answered with it.').waitFor();
    await details.getByRole('button', { name: 'Compare' }).click();
    const compared = page.getByRole('table', { name: 'Two versions beside each other' });
    await compared.getByRole('row', { name: /^down_proj 1.12 0.87 0.55$/ }).waitFor();
    await compared.getByRole('row', { name: /^Answers as wanted 80% 90%/ }).waitFor();
    await takePictures(page, 'learning/compare', [1_280]);
    await page.keyboard.press('Escape');
    await details.getByRole('button', { name: 'Delete this version' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('the version before takes its place').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The model as it is answers').waitFor();
    expect(done()).toEqual(['use personal-20261126-181500', 'remove personal-20261126-181500']);
  });

  it('finds room for German', async () => {
    const language = node.data.settings.settings.find(({ path }) => path === 'language');
    if (language) language.value = 'de';
    node.data.learning.now = learningNow;
    await open();
    await page
      .getByText(/seiner Antworten auf andere Fragen sind jetzt so, vorher/)
      .first()
      .waitFor();
    await takePictures(page, 'learning/german');
    await noScrollingSideways(page);
    await open('/versions');
    await page.getByText('Rückgängig führt sofort zurück zu personal@1.').waitFor();
    await takePictures(page, 'learning/german-versions');
    await noScrollingSideways(page);
    await page.getByRole('link', { name: 'Verlauf' }).click();
    await page.getByText('Nicht übernommen').waitFor();
    await noScrollingSideways(page);
  });

  it('shares a version when somebody says so, knowing what goes out, and stops', async () => {
    await open('/versions');
    const details = page.getByRole('region', { name: 'personal@2' });
    await details.getByText('Nobody else can fetch this version.').waitFor();
    await details.getByRole('button', { name: 'Share this version' }).click();
    const question = page.getByRole('dialog', { name: 'Share personal@2' });
    await question.getByText('It has learnt from private feedback').waitFor();
    for (const fact of ['personal@2', '9.8 MB', 'c'.repeat(64), 'qwen2.5-7b-instruct-q4_k_m', 'a'.repeat(64)])
      await question.getByText(fact, { exact: true }).waitFor();
    await noViolations(page);
    await takePictures(page, 'learning/share', [1_280]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Share this version');
    expect(done()).toEqual([]);
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('row', { name: /personal@2.*In use.*Being prepared/ }).waitFor();
    for (const version of node.data.learning.versions) if (version.shared === 'preparing') version.shared = 'shared';
    await page.getByRole('row', { name: /personal@2.*In use.*Shared/ }).waitFor();
    await details.getByText('2 nodes are connected for it now, 19.6 MB sent').waitFor();
    await takePictures(page, 'learning/shared');
    await page.setViewportSize({ width: 1_280, height: 900 });
    await details.getByRole('button', { name: 'Stop sharing' }).click();
    await details.getByText('Nobody else can fetch this version.').waitFor();
    expect(done()).toEqual(['share personal-20261127-090200', 'unshare personal-20261127-090200']);
  });

  it('shows what other nodes share, and fetches what somebody trusts', async () => {
    await open('/versions');
    await page.getByRole('button', { name: 'From other nodes' }).click();
    const offers = page.getByRole('table', { name: 'Versions that other nodes share' });
    const poems = offers.getByRole('row', { name: /poems@1/ });
    await poems.getByText('For smollm2-135m, which is not here').waitFor();
    expect(await poems.getByRole('button', { name: 'Fetch poems@1' }).isDisabled()).toBe(true);
    await noViolations(page);
    await takePictures(page, 'learning/offers');
    await page.setViewportSize({ width: 1_280, height: 900 });
    await offers.getByRole('button', { name: 'Fetch formal@4' }).click();
    const question = page.getByRole('dialog', { name: 'Trust formal@4?' });
    await question.getByText('d'.repeat(64)).waitFor();
    expect(done()).toEqual([]);
    await takePictures(page, 'learning/offer-trust', [1_280]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await offers.getByRole('button', { name: 'Fetch formal@4' }).click();
    await question.getByRole('button', { name: 'Fetch it all the same' }).click();
    await offers
      .getByRole('row', { name: /formal@4/ })
      .getByText('50% is here.')
      .waitFor();
    expect(done()).toEqual([`fetch ${'d'.repeat(64)} trusted`]);
    await takePictures(page, 'learning/offer-under-way');
    await offers.getByRole('link', { name: 'Downloads' }).click();
    await page.getByRole('row', { name: /A version of formal/ }).waitFor();
    await takePictures(page, 'learning/offer-download', [1_280]);
    await page.goto(`${node.url}#/models/sharing`);
    await page.getByText('2 versions of what models have learnt are shared, too').waitFor();
    await takePictures(page, 'learning/offer-models', [1_280]);
  });

  it('says that the adapter belongs to another model than the one that is set', async () => {
    node.data.learning.status.inUse = { version: null, belongsTo: 'qwen2.5-7b-instruct-q4_k_m' };
    await open();
    const words = 'personal belongs to qwen2.5-7b-instruct-q4_k_m. Another model is set: it answers as it is.';
    await section('In use').getByText(words).waitFor();
    await takePictures(page, 'learning/other-base');
    await open('/versions');
    await page.getByText(words).waitFor();
    await page.getByText('Your questions are answered with it when qwen2.5-7b-instruct-q4_k_m is set.').waitFor();
  });

  it('exports a version, imports one, and calls the adapter something else', async () => {
    await open('/versions');
    const details = page.getByRole('region', { name: 'personal@2' });
    await details.getByText('GGUF', { exact: true }).click();
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('personal-20261127-090200.gguf, 19.7 MB').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Import');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Folder or file').fill('/home/ada/adapter');
    const refused = told({ message: say('adapters.nothingThere', { path: '/home/ada/adapter' }) });
    node.data.failures['learning.importVersion'] = { code: 'BAD_REQUEST', ...refused, field: 'path', retryable: false };
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('There is nothing at /home/ada/adapter.').waitFor();
    delete node.data.failures['learning.importVersion'];
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('table', { name: 'Versions' }).getByText('personal@3').waitFor();
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await dialog.getByLabel('Name').fill('work');
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'Versions' }).getByText('work@3').waitFor();
    complaints.length = 0; // there is no such file
  });

  it('says what each kind of trainer would take, and that it does not fit with what would', async () => {
    node.data.learning.offers.here = [doesNotFit];
    await open('/training');
    const computes = section('What computes');
    await computes.getByText('Does not fit').waitFor();
    await computes.getByText('It would fit with: only the last 6 layers').waitFor();
    await computes.getByText('1.7 GB of memory, about 900 ms a step: 14 s for 16 steps').waitFor();
    await computes.getByText('Attic').waitFor();
    await computes.getByText('It is learning itself.').waitFor();
    await noViolations(page);
    await takePictures(page, 'learning/training');
    await noScrollingSideways(page);
    await computes.getByRole('radio', { name: 'Another of my nodes' }).click();
    const chosen = () => node.data.settings.settings.find(({ path }) => path === 'learning.trainer')?.value;
    await expect.poll(chosen).toBe('paired');
    node.data.learning.offers.paired = [];
    await page.reload();
    await computes.getByText('None is connected.').waitFor();
  });

  it('installs PyTorch on request, shows how far it is, cancels and removes it', async () => {
    await open('/training');
    await page.getByText('161 MB to download, up to 444 MB of disk').first().waitFor();
    expect(done()).toEqual([]);
    await page.getByRole('button', { name: 'Install for the processor' }).click();
    await page.getByText('120 MB of about 281.8 MB').waitFor();
    await page.getByRole('img', { name: '43% of the packages' }).waitFor();
    await takePictures(page, 'learning/training-installing', [1_280]);
    await page.reload(); // it goes on
    await page.getByText('Being installed').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Not installed').waitFor();
    const installed = { variant: 'cpu' as const, tool: 'uv' as const, python: '3.12.4', torch: '2.15.0' };
    const { torch } = node.data.learning;
    node.data.learning.torch = { ...torch, state: 'ready', installed: { ...installed, bytes: 391_000_000 } };
    await page.reload();
    await page.getByText('2.15.0 for the processor, with Python 3.12.4: 391 MB').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('391 MB become free.').waitFor();
    await takePictures(page, 'learning/training-remove', [1_280]);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Not installed').waitFor();
    expect(done()).toEqual(['install cpu', 'cancel torch', 'remove torch']);
  });

  it('shows what was put aside after failures and why, and tries it again', async () => {
    const failure = doesNotFit.error;
    const [first, ...others] = node.data.learning.feedback;
    if (!first) throw new Error('The sample has no feedback.');
    node.data.learning.feedback = [{ ...first, state: 'aside', failure }, ...others];
    await open();
    const aside = section('What was put aside');
    await aside.getByText('You said: «No emoji.»').waitFor();
    await aside.getByText('It would fit with: only the last 6 layers').first().waitFor();
    await noViolations(page);
    await page.getByText('1 piece of feedback is put aside after failures.').waitFor();
    await page.setViewportSize({ width: 400, height: 720 });
    await aside.scrollIntoViewIfNeeded();
    await takePictures(page, 'learning/aside', [400]);
    await aside.getByRole('button', { name: 'Try again' }).click();
    await section('What waits to be learnt').waitFor();
    expect(done()).toEqual(['start']);
  });
});

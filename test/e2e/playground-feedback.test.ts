import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorView } from '../../src-main/base/error-view.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { noViolations } from '../support/page-checks.ts';
import { takePictures } from '../support/pictures.ts';
import { newLearning, sampleLearning } from '../support/screens/sample-learning.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const chromium = findChromium();
const ANSWER = 'A mesh is a network. There is no centre.';

describe.skipIf(!chromium)('feedback in the playground', () => {
  let browser: Browser;
  let node: ScriptedNode;
  let page: Page;

  beforeAll(async () => {
    if (chromium) browser = await launchChromium(chromium);
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await page.close();
    await node.close();
  });

  async function open(learning = newLearning()): Promise<void> {
    node = await startScriptedNode({ learning, answer: () => [ANSWER], pieceMs: 0 });
    page = await browser.newPage({ viewport: { width: 1_280, height: 800 }, locale: 'en-US', reducedMotion: 'reduce' });
    await page.goto(`${node.url}#/playground`);
    await page.getByRole('textbox', { name: 'Ask something' }).waitFor();
  }

  async function ask(): Promise<void> {
    await page.getByRole('textbox', { name: 'Ask something' }).fill('What is a mesh?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const given = () => page.getByRole('list', { name: 'What was said of this answer' });
  const focused = () => page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.ariaLabel");
  const said = () =>
    node.data.learning.feedback.map(({ kind, text, state, answer }) => ({ kind, text, state, answer }));

  it('sets a thumb, another one in its place, and takes it back', async () => {
    await open();
    await ask();
    await button('Good answer').click();
    await given().getByText('You liked it').waitFor();
    await given().getByText('is noted; a thumb teaches nothing').waitFor();
    expect(await button('Good answer').getAttribute('aria-pressed')).toBe('true');
    expect(said()).toEqual([{ kind: 'up', text: null, state: 'noted', answer: 'turn-102' }]);
    await button('Bad answer').click();
    await given().getByText('You did not like it').waitFor();
    expect(said().map(({ kind, state }) => `${kind} ${state}`)).toEqual(['down noted', 'up withdrawn']);
    await button('Bad answer').click();
    await given().waitFor({ state: 'detached' });
    expect(said().map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn']);
  });

  it('asks after a thumb down what should be different, and keeps what is being written', async () => {
    await open();
    await ask();
    await button('Bad answer').click();
    const field = page.getByRole('textbox', { name: 'Say what should be different' });
    await expect.poll(focused).toBe('TEXTAREA Say what should be different');
    await page.keyboard.type('Be shorter.');
    await button('Good answer').click();
    await given().getByText('You liked it').waitFor();
    expect(await field.inputValue()).toBe('Be shorter.');
    await field.press('Enter');
    await given().getByText('You said: «Be shorter.»').waitFor();
    await field.waitFor({ state: 'detached' });
    expect(said().map(({ kind, state }) => `${kind} ${state}`)).toEqual(['say waiting', 'up noted', 'down withdrawn']);
    expect(await focused()).toBe('BUTTON Bad answer');
  });

  it('says what should be different with Enter, and shows what became of it', async () => {
    await open();
    await ask();
    await button('Say what should be different').click();
    await page.keyboard.type('Be shorter.');
    await noViolations(page);
    await takePictures(page, 'learning/playground-say');
    await page.keyboard.press('Enter');
    await given().getByText('You said: «Be shorter.»').waitFor();
    expect(said()).toEqual([{ kind: 'say', text: 'Be shorter.', state: 'waiting', answer: 'turn-102' }]);
    await takePictures(page, 'learning/playground-given');
    const [one] = node.data.learning.feedback;
    if (one) one.state = 'rejected';
    await given().getByText('was tried and not taken').waitFor();
    await given().getByRole('link', { name: 'See Learning' }).click();
    await page.waitForURL(/#\/learning$/);
  });

  it('shows what was said of an answer when its conversation is opened, however much was said since', async () => {
    await open();
    await ask();
    await button('Good answer').click();
    await given().getByText('You liked it').waitFor();
    const [one] = node.data.learning.feedback;
    if (!one) throw new Error('Nothing was said.');
    const others = Array.from({ length: 150 }, (_, at) => ({ ...one, id: 1_000 - at, answer: `chatcmpl-${at}` }));
    node.data.learning.feedback = [...others, one];
    await page.reload();
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    await given().getByText('You liked it').waitFor();
  });

  it('takes back what was said, and leaves it with Escape', async () => {
    await open();
    await ask();
    await button('Say what should be different').click();
    const field = page.getByRole('textbox', { name: 'Say what should be different' });
    await field.fill('Be');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await focused()).toBe('BUTTON Say what should be different');
    expect(said()).toEqual([]);
    await button('Say what should be different').click();
    await field.fill('Be shorter.');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Withdraw: You said: «Be shorter.»' }).click();
    await given().waitFor({ state: 'detached' });
    expect(said().map(({ state }) => state)).toEqual(['withdrawn']);
  });

  it('writes the answer otherwise, where Enter begins a line and Ctrl+Enter sends', async () => {
    await open();
    await ask();
    await button('Edit the answer').click();
    const field = page.getByRole('textbox', { name: 'Edit the answer' });
    expect(await field.inputValue()).toBe(ANSWER);
    expect(await field.locator('xpath=../../../..').getByRole('button', { name: 'Send' }).first().isDisabled()).toBe(
      true,
    );
    await field.fill('A mesh:');
    await page.keyboard.press('Enter');
    await page.keyboard.type('no centre.');
    expect(said()).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await given().getByText('You wrote it otherwise').waitFor();
    expect(said()).toMatchObject([{ kind: 'edit', text: 'A mesh:\nno centre.' }]);
  });

  it('says why nothing can be learnt from an answer, and gives none', async () => {
    await open();
    node.data.learning.status.keeps = false;
    await ask();
    await button('Good answer').click();
    await page.getByText('This node keeps no answers').waitFor();
    await takePictures(page, 'learning/playground-not-kept', [1_280]);
    await page.getByRole('switch', { name: 'Private' }).click(); // it changes when main has taken it
    await page.getByText('This conversation is private').waitFor();
    await button('Say what should be different').click();
    expect(await page.getByRole('textbox', { name: 'Say what should be different' }).count()).toBe(0);
    expect(said()).toEqual([]);
  });

  it('tells beside the answer that it is kept no more', async () => {
    await open();
    await ask();
    const [message, hint] = [say('learning.notKept'), say('learning.notKept.hint')];
    node.data.failures['learning.give'] = errorView(new QuarryError({ code: 'ANSWER_NOT_FOUND', message, hint }));
    await button('Good answer').click();
    await page.getByRole('alert').getByText('No such answer of this node’s own model is kept.').waitFor();
    expect(await button('Good answer').getAttribute('aria-pressed')).toBe('false');
  });

  it('is not there below answers of the mesh', async () => {
    await open();
    await page.getByRole('radio', { name: /^Anyone free/ }).click();
    await ask();
    expect(await button('Good answer').count()).toBe(0);
  });

  it('lets the model answer with what it has learnt, and as it is', async () => {
    await open(sampleLearning());
    await page.getByRole('radio', { name: /^personal@latest/ }).click();
    await page.getByRole('button', { name: 'Who answers: personal@latest' }).waitFor();
    await takePictures(page, 'learning/playground-who', [1_280]);
    await ask();
    expect(node.data.conversations[0]?.conversation.options).toMatchObject({
      target: 'local',
      model: 'personal@latest',
    });
    await page
      .getByRole('article', { name: 'Answer' })
      .getByText(/ · personal@2 · /)
      .waitFor();
    await takePictures(page, 'learning/playground-version');
    await page.getByRole('button', { name: 'Who answers: personal@latest' }).click();
    await page.getByRole('menuitem', { name: 'base' }).click();
    await expect.poll(() => node.data.conversations[0]?.conversation.options.model).toBe('base');
  });

  it('offers only the model where it has learnt nothing', async () => {
    await open();
    await page.getByText('Loaded for mining').waitFor();
    expect(await page.getByRole('radio', { name: /^base/ }).count()).toBe(0);
  });
});

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { localModels, status } from '../support/screens/sample-data.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';
import { smallPdf } from '../support/small-pdf.ts';
import { until } from '../support/until.ts';

const [seven, tiny] = localModels;
if (!seven || !tiny) throw new Error('The sample lacks models.');
const small = { ...seven, name: 'qwen2.5-1.5b-instruct-q4_k_m', bytes: 1_100_000_000, selected: false };

/** Counts how often a field measures how high it has to be, for which Mantine has one that nobody sees: the whole page is laid out for it. */
const MEASURED = `
  measured = 0;
  new MutationObserver(() => measured++).observe(document.querySelector('textarea[aria-label="autosize measurement"]'), { attributes: true });
`;

const chromium = findChromium();

describe.skipIf(!chromium)('the playground', () => {
  let browser: Browser;
  let node: ScriptedNode;
  let page: Page;

  beforeAll(async () => {
    if (!chromium) return;
    browser = await launchChromium(chromium);
  });
  afterAll(() => browser?.close());

  /** A playground of its own. */
  async function open(data: Parameters<typeof startScriptedNode>[0] = {}, width = 1_280): Promise<void> {
    node = await startScriptedNode(data);
    page = await browser.newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    await page.goto(`${node.url}#/playground`);
    await page.getByRole('textbox', { name: 'Ask something' }).waitFor();
  }

  async function close(): Promise<void> {
    await page.close();
    await node.close();
  }

  it('takes the model of this computer out of memory, loads it, and another one in its place', async () => {
    const stopped = { ...status, mining: { state: 'stopped' } } as const;
    await open({ localModels: [seven, small, tiny], status: stopped });
    await page.getByRole('button', { name: 'Unload' }).click();
    await page.getByText('Loads with the first question').waitFor();
    await page.getByRole('button', { name: 'Load now' }).click();
    await page.getByText('Loaded', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Who answers: Qwen2.5 7B' }).click();
    await page.getByRole('menuitem', { name: 'Qwen2.5 1.5B' }).first().click();
    await page.getByRole('button', { name: 'Who answers: Qwen2.5 1.5B' }).waitFor();
    expect(node.data.status.engine.model?.name).toBe(small.name);
    await close();
  });

  it('asks before the model that this computer mines with is changed', async () => {
    await open({ localModels: [seven, small, tiny] });
    await page.getByText('Loaded for mining').waitFor();
    expect(await page.getByRole('button', { name: 'Unload' }).count()).toBe(0);
    const other = page.getByRole('radio', { name: /^Qwen2.5 1.5B/ });
    await other.first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(node.data.localModels.find(({ selected }) => selected)?.name).toBe(seven.name);
    await other.first().click();
    await page.getByText('It will mine with Qwen2.5 1.5B from now on, too.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Change the model' }).click();
    await until(() => expect(node.data.localModels.find(({ selected }) => selected)?.name).toBe(small.name));
    await close();
  });

  it('says before a question to the mesh what it will likely cost, by what answers did lately', async () => {
    await open({ answered: [] });
    await page.getByRole('radio', { name: /^Anyone free/ }).click();
    await page.getByText('Up to 3 credits').waitFor();
    await close();
    await open();
    await page.getByRole('radio', { name: /^Qwen2.5 7B.*2 miners · first word in 900 ms/ }).click();
    await page.getByText('About 3 credits').waitFor();
    await page.getByText('Send no secrets.').waitFor();
    await close();
  });

  it('changes a question where it stands, and goes back to what was there before', async () => {
    await open({ answer: () => ['An ', 'answer.'] });
    const ask = async (text: string) => {
      await page.getByRole('textbox', { name: 'Ask something' }).fill(text);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Answer again' }).waitFor();
    };
    await ask('What is a mesh?');
    const question = page.getByRole('article', { name: 'You' });
    await question.hover();
    await question.getByRole('button', { name: 'Change the question' }).click();
    const field = page.getByRole('textbox', { name: 'Change the question' });
    expect(await field.inputValue()).toBe('What is a mesh?');
    await field.fill('Never mind');
    await page.keyboard.press('Escape');
    await question.getByText('What is a mesh?').waitFor();
    await question.hover();
    await question.getByRole('button', { name: 'Change the question' }).click();
    await field.fill('What is a node?');
    await page.keyboard.press('Enter');
    await question.getByText('What is a node?').waitFor();
    await question.getByText('2 / 2').waitFor();
    await page.getByRole('button', { name: 'Version before' }).click();
    await question.getByText('What is a mesh?').waitFor();
    await question.getByText('1 / 2').waitFor();
    await close();
  });

  it('lets the model use tools, and shows what each was given and what came of it', async () => {
    const expression = '{"expression":"12 * 7"}';
    const use = { number: 0, round: 1, tool: 'calculator', arguments: expression, result: '84', failed: false, at: 0 };
    const model = { name: seven.name, device: 'cuda', contextSize: 8_192, parallel: 4, tiny: false, tools: false };
    const engine = { ...status.engine, model };
    await open({ status: { ...status, engine }, uses: [use], answer: () => ['It is 84.'] });
    await page.getByRole('switch', { name: 'Calculator' }).click();
    await page.getByText('This model was not trained for tools; it may not use them.').waitFor();
    await page.getByRole('textbox', { name: 'Ask something' }).fill('What is 12 × 7?');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('article', { name: 'Answer' });
    await answer.getByText('Calculator 12 * 7 → 84').click();
    await answer.getByText(expression).waitFor();
    await answer.getByText('It is 84.').waitFor();
    expect(node.data.conversations[0]?.conversation.options.tools).toEqual(['calculator']);
    await page.reload();
    await answer.getByText('Calculator 12 * 7 → 84').waitFor();
    await close();
  });

  it('reads nothing of a long answer again when it ends, and measures no field beside it', async () => {
    const ending = Promise.withResolvers<void>();
    const answer = async function* () {
      for (let count = 0; count < 20; count++) yield 'Some **words** that come.\n\n'.repeat(20);
      await ending.promise;
      yield 'The end.';
    };
    await open({ answer });
    await page.getByRole('textbox', { name: 'Ask something' }).fill('Tell me');
    await page.keyboard.press('Enter');
    await until(async () => expect(await page.locator('article strong').count()).toBe(400));
    await page.evaluate(`for (const word of document.querySelectorAll('article strong')) word.dataset.seen = 'yes'`);
    await page.evaluate(MEASURED);
    ending.resolve();
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    await page.getByText('The end.').waitFor();
    expect(await page.locator('article strong[data-seen=yes]').count()).toBe(400);
    expect(await page.evaluate('measured')).toBe(0);
    await close();
  });

  it('keeps system prompt and parameters as a preset, and takes them in another conversation', async () => {
    await open();
    await page.getByRole('textbox', { name: 'System prompt' }).fill('Answer as a poet.');
    await page.getByRole('button', { name: 'Save or delete a preset' }).click();
    await page.getByRole('menuitem', { name: 'Save as a preset' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Poet');
    await page.keyboard.press('Enter');
    const preset = page.getByRole('combobox', { name: 'Preset' });
    await until(async () => expect(await preset.inputValue()).toBe('Poet'));
    await page.getByRole('textbox', { name: 'System prompt' }).fill('');
    await until(async () => expect(await preset.inputValue()).toBe(''));
    await preset.click();
    await page.getByRole('option', { name: 'Poet' }).click();
    const prompt = page.getByRole('textbox', { name: 'System prompt' });
    await until(async () => expect(await prompt.inputValue()).toBe('Answer as a poet.'));
    await page.getByRole('button', { name: 'Save or delete a preset' }).click();
    await page.getByRole('menuitem', { name: 'Delete «Poet»' }).click();
    await page.getByPlaceholder('None saved yet').waitFor();
    await close();
  });

  it('saves a conversation as Markdown and as JSON', async () => {
    await open({ answer: () => ['An ', 'answer.'] });
    await page.getByRole('textbox', { name: 'Ask something' }).fill('What is a mesh?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    const saved = async (item: string) => {
      await page.getByRole('button', { name: 'More for «New conversation»' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    expect(await saved('Export as Markdown')).toEqual({
      name: 'New-conversation.md',
      text: '# New conversation\n\n## You\n\nWhat is a mesh?\n\n## Qwen2.5 7B\n\nAn answer.\n',
    });
    const { name, text } = await saved('Export as JSON');
    expect(name).toBe('New-conversation.json');
    expect(JSON.parse(text)).toMatchObject({ turns: [{ text: 'What is a mesh?' }, { text: 'An answer.' }] });
    await close();
  });

  it('takes files along with a question, says what they weigh and which it cannot read, and shows what of a long one was used', async () => {
    await open({ answer: () => ['An ', 'answer.'] });
    const attach = (name: string, content: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content });
    await attach('photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]));
    await page.getByText('photo.png is neither text nor PDF. Save it as one of them first.').waitFor();
    await attach('scan.pdf', smallPdf([[]]));
    await page.getByText('scan.pdf has pictures of its pages and no text.').waitFor();
    await attach('locked.pdf', smallPdf([['Secret.']], { locked: true }));
    await page.getByText('locked.pdf is locked with a password.').waitFor();
    await attach('notes.md', Buffer.from('x'.repeat(4_000)));
    const box = page.getByRole('list', { name: 'Attached files' });
    await box.getByText('about 1,000 tokens').waitFor();
    await box.getByRole('button', { name: 'Remove notes.md' }).click();
    await box.waitFor({ state: 'detached' });
    await attach('notes.md', Buffer.from('x'.repeat(4_000)));
    await page.getByRole('textbox', { name: 'Ask something' }).fill('What is in it?');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'You' }).getByText('notes.md').waitFor();
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    await page.getByRole('article', { name: 'You' }).getByText('about 1,000 tokens').waitFor();
    const pages = Array.from({ length: 60 }, (_, at) =>
      Array.from({ length: 5 }, () => `This is page ${at + 1}. `.repeat(4)),
    );
    await attach('report.pdf', smallPdf([...pages, ['The last page.']], { deflated: true }));
    await page.getByText('the model gets the passages that fit the question').waitFor();
    await page.getByText('BGE small English v1.5 finds them by what they mean.').waitFor();
    await page.getByRole('radio', { name: /^Anyone free/ }).click();
    await page.getByText('Only the passages that fit the question leave this computer.').waitFor();
    await page.getByRole('textbox', { name: 'Ask something' }).fill('And here?');
    await page.keyboard.press('Enter');
    await page.getByText('Sources, found by words').waitFor();
    await page.getByRole('button', { name: 'report.pdf · page 61' }).click();
    await page.getByRole('dialog').getByText('The last page.').waitFor();
    await close();
  });

  it.each([
    [400, true, true],
    [1_000, false, true],
    [1_280, false, false],
  ])(
    'at %i px has its sides behind buttons where they do not fit: list %s, inspector %s',
    async (width, list, inspector) => {
      await open({}, width);
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      expect([await button('Conversations').count(), await button('Who answers').count()]).toEqual([+list, +inspector]);
      if (list) await button('Conversations').click();
      await page.getByRole('button', { name: 'New conversation' }).waitFor();
      if (list) await page.keyboard.press('Escape');
      if (inspector) await button('Who answers').click();
      await page.getByRole('radio', { name: /^Anyone free/ }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await close();
    },
  );

  it('closes by Escape what lies over a drawer, and the drawer only after it', async () => {
    await open({ answer: () => ['An ', 'answer.'] }, 700);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const [menu, dialogs] = [
      page.getByRole('menu'),
      page.getByRole('dialog').filter({ has: page.getByRole('heading') }),
    ];
    const escapeLeaves = async (count: number) => {
      await page.keyboard.press('Escape');
      await until(async () => expect([await menu.count(), await dialogs.count()]).toEqual([0, count]));
    };
    await page.getByRole('textbox', { name: 'Ask something' }).fill('What is a mesh?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    await press('Conversations');
    await press('More for «New conversation»');
    await menu.waitFor();
    await escapeLeaves(1);
    for (const item of ['Rename', 'Delete']) {
      await press('More for «New conversation»');
      await page.getByRole('menuitem', { name: item }).click();
      await until(async () => expect(await dialogs.count()).toBe(2));
      await escapeLeaves(1);
    }
    await escapeLeaves(0);

    await press('Who answers');
    await press('Save or delete a preset');
    await page.getByRole('menuitem', { name: 'Save as a preset' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Poet');
    await escapeLeaves(1);
    await press('Save or delete a preset');
    await page.getByRole('menuitem', { name: 'Save as a preset' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Poet');
    await page.keyboard.press('Enter');
    await until(async () => expect(await dialogs.count()).toBe(1));
    await page.getByRole('combobox', { name: 'Preset' }).click();
    await page.getByRole('option', { name: 'Poet' }).waitFor();
    await escapeLeaves(1);
    await page.getByRole('option', { name: 'Poet' }).waitFor({ state: 'detached' });
    await escapeLeaves(0);
    await close();
  });
});

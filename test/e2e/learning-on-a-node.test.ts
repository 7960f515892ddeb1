import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedPath } from '../../src-main/base/installation.ts';
import { checkGguf } from '../../src-main/gguf/model-file.ts';
import { baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { writeAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { madeAdapter } from '../support/made-adapter.ts';
import { type QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { openTinyNodePage } from '../support/screens/tiny-node-page.ts';

const chromium = findChromium();

describe.skipIf(!chromium)('learning on the screens of a real node', () => {
  let browser: Browser;
  let page: Page;
  let node: QuarryProcess;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let lora: string;

  beforeAll(async () => {
    if (!chromium) return;
    folder = await temporaryFolder();
    lora = join(folder.path, 'lora.gguf');
    const { header } = await checkGguf(installedPath('resources', 'tiny.gguf'));
    await writeAdapterGguf(lora, madeAdapter(baseShape(header)), baseShape(header));
    browser = await launchChromium(chromium);
    const data = join(folder.path, 'data');
    ({ node, page } = await openTinyNodePage(browser, {
      data: data,
      place: '/playground',
      env: { QUARRY_LEARNING_WHEN: 'asked' },
    }));
  });

  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    await folder?.remove();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const go = (place: string) => page.evaluate(`location.hash = '${place}'`);

  it('takes what is said of an answer, shows it where it waits, and takes it back', async () => {
    await page.getByRole('textbox', { name: 'Ask something' }).fill('What is a mesh?');
    await page.keyboard.press('Enter');
    await button('Answer again').waitFor();
    await button('Say what should be different').click();
    await page.keyboard.type('Be shorter.');
    await page.keyboard.press('Enter');
    await page.getByText('waits to be learnt').waitFor();
    await button('Edit the answer').click();
    await page.getByRole('textbox', { name: 'Edit the answer' }).fill('A network.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('You wrote it otherwise').waitFor();
    await button('Good answer').click();
    await page.getByText('is noted; a thumb teaches nothing').waitFor();
    await go('/learning');
    await page.getByText('This node learns only when it is asked to.').waitFor();
    const waiting = page.getByRole('region', { name: 'What waits to be learnt' });
    await waiting.getByText('About «What is a mesh?»').first().waitFor();
    const other = 'You wrote it otherwise: «A network.»';
    await waiting.getByRole('button', { name: `Withdraw: ${other}` }).click();
    await waiting.getByText(other).waitFor({ state: 'detached' });
    expect(await waiting.getByRole('listitem').count()).toBe(1);
    await waiting.getByText('You said: «Be shorter.»').waitFor();
    expect(await button('Learn now').isEnabled()).toBe(true);
  });

  it('says that a conversation that is private is kept no more, where its feedback was not', async () => {
    await go('/playground');
    await page.getByRole('switch', { name: 'Private' }).click(); // it changes when main has taken it
    await page.getByRole('switch', { name: 'Private', checked: true }).waitFor();
    await button('Bad answer').click();
    await page.getByText('This conversation is private').waitFor();
    await page.getByText('You said: «Be shorter.»').waitFor();
    await page.getByRole('switch', { name: 'Private' }).click();
    await page.getByRole('switch', { name: 'Private', checked: false }).waitFor();
  });

  it('takes an adapter in, goes back and forth, and saves it with the very bytes', async () => {
    await go('/learning/versions');
    await page.getByText('There are no versions yet').waitFor();
    await button('Import').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Folder or file').fill(join(folder.path, 'none'));
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('There is nothing at').waitFor();
    await dialog.getByLabel('Folder or file').fill(lora);
    await dialog.getByRole('switch', { name: 'Use it at once' }).check();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByText(/^personal@1 is in use/).waitFor();
    await button('Undo').click();
    await page.getByText('The model as it is answers').waitFor();
    await button('Redo').click();
    await page.getByText(/^personal@1 is in use/).waitFor();
    const details = page.getByRole('region', { name: 'personal@1' });
    await details.getByText('GGUF', { exact: true }).click();
    const saved = page.waitForEvent('download');
    await details.getByRole('button', { name: 'Save' }).click();
    const file = await (await saved).path();
    expect(await readFile(file)).toEqual(await readFile(lora));
  });

  it('lets the model answer with what it has learnt, and as it is', async () => {
    await go('/playground');
    await page.getByRole('radio', { name: /^personal@latest/ }).click();
    await page.getByRole('textbox', { name: 'Ask something' }).fill('And what is a node?');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('article', { name: 'Answer' }).count()).toBe(2);
    await button('Answer again').waitFor();
    await page.getByText(/ · personal@1 · /).waitFor();
    await page.getByRole('radio', { name: /^base/ }).click();
    await button('Who answers: base').waitFor();
    await button('Answer again').click();
    await page.getByText('2 / 2').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

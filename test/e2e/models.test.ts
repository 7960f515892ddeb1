import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { say, told } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { downloads, localModels } from '../support/screens/sample-data.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const chromium = findChromium();
const FAR = 24 * 3_600_000;
/** What a browser does when a file is let go over its window. */
const drop = (name: string) => `{
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['x'], ${JSON.stringify(name)}));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
}`;

describe.skipIf(!chromium)('the page Models', () => {
  let browser: Browser;
  let node: ScriptedNode;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium(chromium as string);
    node = await startScriptedNode();
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
  });

  afterAll(async () => {
    await browser?.close();
    await node?.close();
  });

  const show = async (path: string) => {
    await page.goto(`${node.url}#/${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  };
  const row = (title: string) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: title, exact: true }) });
  const inspector = (title: string) => page.getByRole('region', { name: title, exact: true });

  it('offers what other apps keep here, and says why one of it cannot be used', async () => {
    await show('models');
    const table = page.getByRole('table', { name: 'Found in other apps' });
    await table.getByText('Ollama · Q4_K_M').waitFor();
    const odd = table.getByRole('row').filter({ hasText: 'someone/odd-model' });
    expect(await odd.textContent()).toContain('The file is not whole.');
    expect(await odd.getByRole('button').count()).toBe(0);
    const [first, second] = node.data.foundModels;
    if (first && second) node.data.foundModels = [{ ...first, installed: 'gemma3-4b' }, second];
    await table.getByRole('button', { name: 'Use here: gemma3:4b' }).click();
    await table.getByText('Ollama').waitFor({ state: 'detached' });
    await odd.waitFor();
  });

  it('shows what is in memory, and frees what nobody uses', async () => {
    node.data.loadedModels = node.data.loadedModels.map((model) =>
      model.own ? model : { ...model, freesAt: Date.now() + 540_000 },
    );
    await show('models');
    const table = page.getByRole('table', { name: 'In memory' });
    await table.getByText('Graphics card · 8,192 tokens · 1 request').waitFor();
    await table.getByText(/^Processor · 4,096 tokens · unloaded in/).waitFor(); // it looks again
    expect(await table.getByRole('button', { name: 'Unload Qwen2.5 7B' }).count()).toBe(0); // it is mined with
    await table.getByRole('button', { name: /^Unload / }).click();
    await table.getByText(/^Processor/).waitFor({ state: 'detached' });
  });

  it('lists what is here, then what runs well, chat before search, then what is tight or too large', async () => {
    await show('models/catalogue');
    await row('Gemma 3 4B').waitFor();
    const heads = await page.getByRole('rowheader').allTextContents();
    const at = (start: string) => heads.findIndex((head) => head.startsWith(start));
    const order = [
      'On this computer',
      'Qwen2.5 7B',
      'Runs well here',
      'Gemma 3 4B',
      'Qwen2.5 Coder',
      'BGE small',
      'Tight',
    ];
    expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b));
    expect(at('Too large')).toBeGreaterThan(at('Tight'));
    expect(await row('Gemma 3 4B').textContent()).toMatch(/Good writing and translation.*3\.1 of 11\.2\sGB.*66.*55/);
    await row('Qwen2.5 7B').getByText('In use').waitFor();
    await row('Qwen2.5 1.5B').getByText('38%').waitFor();
  });

  it('tells what a download takes, as long as nothing is known of points', async () => {
    const { forecasts } = node.data;
    node.data.forecasts = [];
    await show('models/catalogue');
    await page.reload(); // what was asked before is kept
    await page.getByRole('columnheader', { name: 'Size', exact: true }).waitFor();
    expect(await row('Gemma 3 4B').textContent()).toMatch(/66\s*2\.5\sGB/);
    expect(await page.getByRole('columnheader', { name: 'Points a day' }).count()).toBe(0);
    node.data.forecasts = forecasts;
    await page.reload();
    await page.getByRole('columnheader', { name: 'Points a day' }).waitFor();
  });

  it('filters by what it is made for, by words, and sorts', async () => {
    await page.getByRole('radiogroup', { name: 'Made for' }).getByText('Search').click();
    await row('BGE small English v1.5').waitFor();
    expect(await row('Gemma 3 4B').count()).toBe(0);
    await page.getByText(/^All \d+$/).click();
    await page.getByRole('searchbox', { name: 'Find a model' }).fill('no such model');
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByRole('button', { name: 'Order: Best here' }).click();
    await page.getByRole('menuitemradio', { name: 'Smallest' }).click();
    await expect.poll(async () => (await page.getByRole('rowheader').allTextContents())[4]).toMatch(/^BGE small/);
  });

  it('tells of the model that is pressed what it takes and brings, and what another context would free', async () => {
    await show('models/catalogue');
    await row('Qwen3 14B').getByRole('button', { name: 'Qwen3 14B', exact: true }).press('Enter');
    const details = inspector('Qwen3 14B');
    await details.getByText('Fits with 820 MB to spare.').waitFor();
    await details.getByText('About 31 points a day', { exact: true }).waitFor();
    await details.getByText('14.8 billion, Q4_K_M').waitFor();
    await details.getByRole('button', { name: 'Download 9 GB' }).waitFor();
    await details.getByText('203 GB are free.').waitFor();
    await details.getByRole('slider', { name: 'Context size' }).press('Home');
    await details.getByText('2,048 tokens').waitFor();
    await details.getByRole('button', { name: 'Use this for all models' }).click();
    const set = (name: string) => node.data.settings.settings.find(({ path }) => path === name)?.value;
    await expect.poll(() => set('contextSize')).toBe(2_048);
    await details.getByText('Kept. It takes effect when Quarry starts again.').waitFor();
    // A model that is here says how much of it computes on the graphics card, too.
    await show('models');
    const local = inspector('Qwen2.5 7B');
    const layers = local.getByRole('slider', { name: 'Layers on the graphics card' });
    await layers.press('Home');
    await local.getByText('0 of 28', { exact: true }).waitFor();
    await local.getByText(/^Chosen by hand/).waitFor();
    await local.getByRole('button', { name: 'Use this for all models' }).click();
    await expect.poll(() => set('gpuLayers')).toBe(0);
    await local.getByRole('button', { name: 'As many as fit' }).click();
    await local.getByRole('button', { name: 'Use this for all models' }).click();
    await expect.poll(() => set('gpuLayers')).toBe(-1);
  });

  it('says how long a download waits for the internet, and offers every way out', async () => {
    const problem = { code: 'OFFLINE', fault: 'offline' as const, ...told({ message: say('connection.offline') }) };
    const waits = { state: 'offline' as const, nextTryAt: Date.now() + FAR, problem, bytesPerSecond: 0 };
    node.data.downloads = downloads.map((one) => ({ ...one, ...waits }));
    await show('models/downloads');
    const note = page.getByRole('row').filter({ hasText: 'Waiting for the internet.' });
    await note.getByText('Trying again in 24 h').waitFor();
    await note.getByRole('button', { name: 'Use a file' }).click();
    await page.getByRole('dialog', { name: 'Import a model file' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await note.getByRole('link', { name: 'Choose another' }).getAttribute('href')).toBe('#/models/catalogue');
    await note.getByRole('button', { name: 'Try now' }).click();
    await expect.poll(() => node.data.downloads[0]?.state).toBe('downloading');
    node.data.downloads = downloads;
  });

  it('takes a model file that is dropped on any page, and asks a browser’s user where it is', async () => {
    await show('earnings');
    await page.evaluate(drop('notes.txt'));
    await page.getByText('notes.txt is no GGUF file.').waitFor();
    await page.evaluate(drop('poet-3b.gguf'));
    const dialog = page.getByRole('dialog', { name: 'Import a model file' });
    await dialog.getByText('Enter the path of poet-3b.gguf.').waitFor();
    await dialog.getByRole('textbox', { name: 'Model file' }).fill('/home/ada/poet-3b.gguf');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('The file stays where it is').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });

  it('says what removing really frees: nothing of a file that has another name elsewhere', async () => {
    const [first, ...others] = localModels.map((model) => ({ ...model }));
    node.data.localModels = [{ ...first!, place: 'linked', frees: 0, selected: false }, ...others];
    await show('models');
    await page.reload(); // what was asked before is kept
    await row('Qwen2.5 7B').getByRole('button', { name: 'Qwen2.5 7B', exact: true }).click();
    await inspector('Qwen2.5 7B').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByText('so nothing is freed').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('shows the details on a phone as a sheet when a model is pressed, and not before', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await show('models/catalogue');
    await row('Phi-4 mini').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row('Phi-4 mini').getByRole('button', { name: 'Phi-4 mini', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Download 2.5 GB' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Turn } from '../../src-preload/contract/conversations.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { HOSTILE_ANSWERS } from '../support/hostile-answers.ts';
import { ROUNDS } from '../support/rounds.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

const AT = Date.UTC(2026, 10, 1);
const PICTURES = process.env.QUARRY_TEST_PICTURES ? 'test-results/screens' : undefined;

/** A conversation as it is kept, with one answer. */
function kept(index: number, title: string, text: string): ScriptedNode['data']['conversations'][number] {
  const answer: Turn['answer'] = {
    state: 'done',
    target: 'mesh',
    model: 'tiny',
    worker: 'ab'.repeat(32),
    tokens: 12,
    firstTokenMs: 1,
    totalMs: 2,
    tokensPerSecond: 3,
    paid: [],
    error: null,
  };
  return {
    conversation: {
      id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
      title,
      createdAt: AT,
      updatedAt: AT,
      options: { target: 'mesh' },
    },
    turns: [
      { id: 1, role: 'user', text: 'What do you say?', at: AT, answer: null },
      { id: 2, role: 'assistant', text, at: AT, answer },
    ],
  };
}

/** What comes again and again in answers that come in pieces: the two that cost most, and all of them where there is time. */
const STREAMED = ROUNDS > 1 ? ['>', '- ', '- a', '~a', '|a', '[', '```'] : ['>', '```'];

const chromium = findChromium();

describe.skipIf(!chromium)('a hostile answer', () => {
  let browser: Browser;
  let node: ScriptedNode;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    if (!chromium) return;
    const hostile = Object.entries(HOSTILE_ANSWERS).map(([name, text], index) => kept(index + 1, name, text));
    const asked = STREAMED.map((piece, index) => kept(hostile.length + index + 1, `To ${piece}`, 'A kind answer.'));
    node = await startScriptedNode({ conversations: [kept(0, 'Kind', 'A **kind** answer.'), ...hostile, ...asked] });
    browser = await launchChromium(chromium);
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, reducedMotion: 'reduce' });
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(node.url)) complaints.push(`asks for ${request.url()}`);
    });
    await page.goto(`${node.url}#/playground`);
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await node?.close();
  });

  const entry = (title: string) => page.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) });
  const choose = (title: string) => entry(title).getByRole('button').first().click();
  const answer = () => page.getByRole('article', { name: 'Answer', exact: true });

  it.each(Object.entries(HOSTILE_ANSWERS))('is shown, and the page goes on: %s', async (title, text) => {
    await choose(title);
    await answer().getByText('12 tokens').waitFor();
    const first = text.replaceAll(/[^\p{L}\p{N}>[*]/gu, '').slice(0, 1) || '-';
    await answer().getByText(first).first().waitFor({ state: 'attached' });
    if (PICTURES) await picture(title);
    await page.getByRole('textbox', { name: 'Ask something' }).fill(title);
    expect(await page.getByRole('textbox', { name: 'Ask something' }).inputValue()).toBe(title);
    await choose('Kind');
    await page.locator('strong', { hasText: 'kind' }).waitFor();
    expect(complaints).toEqual([]);
  });

  async function picture(title: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: `${PICTURES}/hostile-${title.replaceAll(/\W+/g, '-')}-${colorScheme}.png` });
    }
  }

  it.each(STREAMED)('leaves the page usable while it comes: %j', async (piece) => {
    const text = piece.length > 2 ? `${piece}\n` : piece;
    const used = Promise.withResolvers<void>();
    node.data.answer = async function* () {
      for (let count = 1; count < 40; count++) yield text.repeat(500);
      await used.promise;
      yield text;
    };
    await choose(`To ${piece}`);
    await page.getByRole('textbox', { name: 'Ask something' }).fill('And now?');
    await page.keyboard.press('Enter');
    await page.getByText('Answering').waitFor();
    await page.getByRole('textbox', { name: 'Ask something' }).fill('Next');
    await choose('4,000 brackets');
    await answer().getByText('['.repeat(4_000), { exact: true }).waitFor();
    await choose(`To ${piece}`);
    used.resolve();
    await page.getByText('Answering').waitFor({ state: 'detached' });
    await answer().getByText('40 tokens').last().waitFor();
    expect(await page.getByRole('textbox', { name: 'Ask something' }).inputValue()).toBe('Next');
    expect(complaints).toEqual([]);
  });

  it('is plain text when its reader breaks, and nothing else breaks', async () => {
    const other = await browser.newPage();
    await other.route(/Markdown-.*\.js$/, (route) => route.abort());
    await other.goto(`${node.url}#/playground`);
    await other.getByRole('button', { name: /^Kind/ }).click();
    await other.getByText('A **kind** answer.', { exact: true }).waitFor();
    await other.getByRole('textbox', { name: 'Ask something' }).fill('Still here');
    await other.getByRole('button', { name: /^4,000 brackets/ }).click();
    await other.getByText('['.repeat(4_000), { exact: true }).waitFor();
    await other.close();
  });

  it('cannot make an address read as another one', async () => {
    await choose('marks that turn the direction of writing');
    await answer().getByText('https://example.com/', { exact: true }).waitFor();
    const places = await page.evaluate(`[0, 19].map((at) => {
      const text = document.evaluate('//article//text()[. = "https://example.com/"]', document).iterateNext();
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    })`);
    const [first = 0, last = 0] = places as number[];
    expect(first).toBeLessThan(last);
  });

  it('is shown to the letter, can be asked for again, and goes when its conversation is deleted', async () => {
    await choose('3,000 quotes');
    await answer().getByText('>'.repeat(3_000), { exact: true }).waitFor();
    node.data.answer = () => ['A **mesh** is ', 'a network.'];
    await page.getByRole('button', { name: 'Answer again' }).click();
    await answer().locator('strong', { hasText: 'mesh' }).waitFor();
    await choose('4,000 lists');
    await answer().getByText('12 tokens').waitFor();
    await entry('4,000 lists')
      .getByRole('button', { name: /^More for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Delete conversation' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete conversation' }).click();
    await entry('4,000 lists').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

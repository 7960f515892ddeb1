import type { Browser, Page } from 'playwright-core';
import { type ScriptedNode, startScriptedNode } from './scripted-node.ts';

/** The screens of a scripted node, in English on a wide window. */
export interface ScriptedPage {
  node: ScriptedNode;
  page: Page;
  /** What the browser complains about. */
  complaints: string[];
}

/** Starts a node and opens a page for it, which shows nothing yet. */
export async function openScriptedPage(browser: Browser): Promise<ScriptedPage> {
  const node = await startScriptedNode();
  const page = await browser.newPage({
    viewport: { width: 1_280, height: 900 },
    ...{ locale: 'en-US', reducedMotion: 'reduce' },
  });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { node, page, complaints };
}

import type { Browser, Page } from 'playwright-core';
import { installedPath } from '../../../src-main/base/installation.ts';
import { cookieOfLink } from '../owner.ts';
import { QuarryProcess } from '../quarry-process.ts';

/**
 * A real node with the built-in model, by itself, and a page of its screens.
 * @param place of the page, as `/evaluation` @param env more of the node's environment
 */
export async function openTinyNodePage(
  browser: Browser,
  { data, place, env = {} }: { data: string; place: string; env?: Record<string, string> },
): Promise<{ node: QuarryProcess; page: Page }> {
  const flags = ['--model', installedPath('resources', 'tiny.gguf'), '--bootstrap', '127.0.0.1:9', '--port', '0'];
  const node = new QuarryProcess(['start', '--headless', ...flags, '--data', data], {
    ...{ QUARRY_SHOW_WELCOME: 'false', QUARRY_GPU_LAYERS: '0', ...env },
  });
  const [, link = ''] = await node.printed(/screens\s+(\S+)/);
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, locale: 'en-US' });
  await context.addCookies([await cookieOfLink(link)]);
  const page = await context.newPage();
  await page.goto(`${new URL(link).origin}/#${place}`);
  return { node, page };
}

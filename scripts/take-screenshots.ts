/**
 * Takes the pictures of the README from the real app: the worker of a demonstration mesh that has served for a while, and a node
 * that was just installed. Wants Chromium and a build.
 * Usage: node scripts/take-screenshots.ts [SECONDS of demonstration]
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../test/support/chromium.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PICTURES = join(ROOT, 'docs', 'images');
const seconds = Number(process.argv[2] ?? 120);

const chromium = findChromium();
if (!chromium) process.exit(1);
const browser = await launchChromium(chromium);
const folder = await mkdtemp(join(tmpdir(), 'quarry-pictures-'));
try {
  await using newcomer = await start(['--headless', '--bootstrap', '127.0.0.1:9', '--data', folder], {
    QUARRY_MINE_ON_START: 'false',
  });
  const page = await open(browser, newcomer.url, 'light');
  for (let step = 0; step < 2; step++) await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Recommended', { exact: true }).waitFor();
  await take(page, 'welcome');
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Load policy' }).click();
  await take(page, 'settings-dark');
  await using demo = await start(['--demo', '--port', '0'], {});
  await sleep(seconds * 1_000);
  await take(await open(browser, demo.screens, 'light'), 'dashboard');
  await take(await open(browser, `${demo.screens}#/earnings`, 'dark'), 'earnings-dark');
  const models = await open(browser, `${demo.screens}#/models`, 'light');
  await models.getByRole('tab', { name: 'Catalogue' }).click();
  await take(models, 'models');
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** Starts `quarry start`; `url` and `screens` are what it says of itself. */
async function start(flags: string[], env: Record<string, string>) {
  const node = spawn(process.execPath, [join(ROOT, 'src-main', 'cli.ts'), 'start', '--json', ...flags], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((end) => node.once('exit', end));
  let text = '';
  for await (const chunk of node.stdout) {
    text += String(chunk);
    if (/"url":[\s\S]*\n}/.test(text)) break;
  }
  const { url, screens = url } = JSON.parse(text) as { url: string; screens?: string };
  return {
    url,
    screens,
    async [Symbol.asyncDispose]() {
      node.kill('SIGTERM');
      await ended;
    },
  };
}

async function open(browser: Browser, address: string, colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 }, colorScheme, locale: 'en-GB' });
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return page;
}

/** What is loaded late is there after a moment. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(2_000);
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

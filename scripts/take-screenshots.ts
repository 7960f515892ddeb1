/**
 * Takes the pictures of the README from the real app: the worker of a demonstration mesh that has served for a while. Wants Chromium and a build, SmolLM2 (`npm run test:models`): its answers make sense,
 * and for the film ffmpeg (`apt-get install ffmpeg`).
 * Usage: node scripts/take-screenshots.ts [SECONDS of demonstration]
 */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../test/support/chromium.ts';
import { cookieOfLink } from '../test/support/owner.ts';
import { findRealModel, SMOLLM2 } from '../test/support/real-models.ts';
import { film } from './film.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PICTURES = join(ROOT, 'docs', 'images');
const seconds = Number(process.argv[2] ?? 120);
/** Without one, so small a model rambles. */
const SYSTEM = 'You are a helpful assistant. Answer in one sentence.';
const QUESTIONS = ['What is the capital of Japan?', 'Why is the sky blue?', 'What is photosynthesis?'];

const chromium = findChromium();
if (!chromium) process.exit(1);
const model = await findRealModel(SMOLLM2);
if (!model) console.error('!!! The built-in model answers instead: what the playground shows will be babble.');
const browser = await launchChromium(chromium);
try {
  await using demo = await start(['--demo', '--port', '0', ...(model ? ['--model', model] : [])], {
    QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false', // the browser works, too
  });
  await sleep(seconds * 1_000);
  await take(await open(browser, demo, '', 'light'), 'dashboard');
  await take(await open(browser, demo, '#/earnings', 'dark'), 'earnings-dark');
  await take(await open(browser, demo, '#/models/catalogue', 'light'), 'models');
  await take(await open(browser, demo, '#/computer', 'dark'), 'computer-dark');
  const connect = await open(browser, demo, '#/connect', 'light');
  await connect.getByRole('button', { name: 'Test', exact: true }).click();
  await connect.getByText(/^It works/).waitFor();
  await take(connect, 'connect');
  const playground = await open(browser, demo, '#/playground', 'dark');
  await talk(playground);
  await take(playground, 'playground-dark');
  const tour = await open(browser, demo, '#/dashboard', 'light');
  await tour.getByRole('heading', { name: 'Last answers' }).waitFor();
  await film(tour, join(PICTURES, 'tour.webp'), () => walkThrough(tour));
} finally {
  await browser.close();
}

/** What lets a browser in to the screens of a node. */
interface Door {
  cookie: Awaited<ReturnType<typeof cookieOfLink>>;
}

/** Starts `quarry start`, and comes in by the link that it prints. */
async function start(flags: string[], env: Record<string, string>) {
  const node = spawn(process.execPath, [join(ROOT, 'src-main', 'cli.ts'), 'start', '--json', ...flags], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((end) => node.once('exit', end));
  // Read to its end: a demonstration goes on to tell what happens, and would end if nobody took it.
  const first = await new Promise<string>((found) => {
    let text = '';
    node.stdout.on('data', (chunk) => {
      text += String(chunk);
      const [document] = /^{[\s\S]*?\n}\n/.exec(text) ?? [];
      if (document) found(document);
    });
  });
  const { screens } = JSON.parse(first) as { screens: string };
  return {
    cookie: await cookieOfLink(screens),
    async [Symbol.asyncDispose]() {
      node.kill('SIGTERM');
      await ended;
    },
  };
}

async function open(browser: Browser, { cookie }: Door, place: string, colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme, locale: 'en-GB' });
  await page.context().addCookies([cookie]);
  await page.goto(`${cookie.url}/${place}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return page;
}

/** Asks the mesh some questions. */
async function talk(page: Page): Promise<void> {
  await page.getByText('Anyone free', { exact: true }).first().click();
  await page.getByRole('textbox', { name: 'System prompt' }).fill(SYSTEM);
  for (const question of QUESTIONS) {
    await page.getByRole('textbox', { name: 'Ask something' }).fill(question);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: 'Stop the answer' }).waitFor();
    await page.getByRole('button', { name: 'Stop the answer' }).waitFor({ state: 'detached', timeout: 120_000 });
  }
}

/** A question, its answer as it comes, and what this computer earns meanwhile. */
async function walkThrough(page: Page): Promise<void> {
  await page.waitForTimeout(2_000);
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('link', { name: 'Catalogue', exact: true }).click();
  await page.waitForTimeout(2_000);
  await page.getByRole('link', { name: 'Playground', exact: true }).click();
  await page.getByRole('button', { name: 'New conversation', exact: true }).first().click();
  await page.getByText('Anyone free', { exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Ask something' }).pressSequentially('Why is the sky blue?', { delay: 50 });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Stop the answer' }).waitFor();
  await page.getByRole('button', { name: 'Stop the answer' }).waitFor({ state: 'detached', timeout: 120_000 });
  await page.waitForTimeout(2_000);
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.waitForTimeout(4_000);
}

/** What is loaded late is there after a moment. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(2_000);
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

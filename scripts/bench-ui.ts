/**
 * Measures the screens in a real Chromium: how much JavaScript the first page wants, when the dashboard is painted, how long a
 * long answer keeps the page from anything else, and whether an hour of live charts leaves anything behind. Prints a JSON row for each figure, as `quarry bench` does.
 * Usage: npm run bench:ui [-- RUNS]
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { type BenchRow, benchRow } from '../src-main/bench/row.ts';
import { findChromium, launchChromium } from '../test/support/chromium.ts';
import { cookieOfLink } from '../test/support/owner.ts';
import { startScriptedNode } from '../test/support/screens/scripted-node.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PAGES = join(ROOT, 'out', 'renderer');
const HOUR_OF_SAMPLES = 3_600;
/** As many as the charts show. */
const WARM_UP_SAMPLES = 900;
/** An hour passes in 36 seconds. */
const SAMPLES_A_SECOND = 100;

/** What a model likes to write, and the pieces of a long answer made of it. */
const MARKDOWN = `## A heading

Some **bold** words and \`code\`, then a [link](https://example.org) in a sentence that goes on for a while.

- one thing
- another thing, with *stress*

\`\`\`ts
const answer = 42;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

`;
const PIECES = 5_000;
/** As many come at once, and then a moment nothing: some hundreds a second. */
const PIECES_AT_ONCE = 10;
const PAUSE_MS = 20;
/** An answer with more than these is well under way. */
const SOME_TABLES = 50;
/** What is still drawn after the last piece. */
const SETTLED_MS = 1_000;

const runs = Number(process.argv[2] ?? 5);
const chromium = findChromium();
if (!chromium) process.exit(1);

print(await initialScript());
const browser = await launchChromium(chromium, ['--js-flags=--expose-gc', '--enable-precise-memory-info']);
try {
  for (const row of await firstPaint(browser)) print(row);
  for (const row of await longAnswer(browser)) print(row);
  print(await heapGrowth(browser));
} finally {
  await browser.close();
}

function print(row: BenchRow): void {
  process.stdout.write(`${JSON.stringify(row)}\n`);
}

/** What a browser fetches before the first page can run: the entry, and what it says to load with it. */
async function initialScript(): Promise<BenchRow> {
  const html = await readFile(join(PAGES, 'index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file ?? '');
  const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(join(PAGES, file))).length));
  const ours = [sizes.reduce((sum, size) => sum + size, 0) / 1_000];
  return benchRow({ bench: 'ui', case: 'initial JavaScript, gzipped', unit: 'kB', ours, goal: '≤ 300' });
}

/** From the address to pixels, to the dashboard's heading, and to its figures, on a real node that mines nothing. */
async function firstPaint(browser: Browser): Promise<BenchRow[]> {
  const data = await mkdtemp(join(tmpdir(), 'quarry-bench-ui-'));
  const flags = ['start', '--headless', '--json', '--role', 'client', '--port', '0', '--data', data];
  const node = spawn(process.execPath, [join(ROOT, 'src-main', 'cli.ts'), ...flags, '--bootstrap', '127.0.0.1:9'], {
    env: { ...process.env, QUARRY_SHOW_WELCOME: 'false' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((end) => node.once('exit', end));
  try {
    const cookie = await cookieOfLink(await linkOf(node.stdout));
    const painted: number[] = [];
    const titled: number[] = [];
    const filled: number[] = [];
    for (let run = 0; run < runs; run++) {
      const context = await browser.newContext();
      await context.addCookies([cookie]);
      const page = await context.newPage();
      await page.goto(cookie.url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      titled.push(await page.evaluate('performance.now()'));
      await page.locator('main dl:not(:has(.mantine-Skeleton-root))').waitFor();
      filled.push(await page.evaluate('performance.now()'));
      const script = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`;
      painted.push(await page.evaluate(script));
      await context.close();
    }
    const row = (name: string, ours: number[], goal: string | null) =>
      benchRow({ bench: 'ui', case: name, unit: 'ms (less is better)', ours, goal });
    return [
      row('dashboard, first contentful paint', painted, '≤ 700'),
      row('dashboard, its heading is there', titled, null),
      row('dashboard, its figures are there', filled, null),
    ];
  } finally {
    node.kill('SIGTERM');
    await ended;
    await rm(data, { recursive: true, force: true });
  }
}

/** What the node prints for browsers. */
async function linkOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    const [, link] = /"screens":\s*"([^"]+)"/.exec(text) ?? [];
    if (link) return link;
  }
  throw new Error(`The node ended without a link: ${text}`);
}

/**
 * The longest work without a break that an answer of 5,000 pieces makes: while it comes, and from its last piece on. Counted is
 * the processor's time of the page's main thread, so a busy machine changes little of it.
 */
async function longAnswer(browser: Browser): Promise<BenchRow[]> {
  const coming: number[] = [];
  const ending: number[] = [];
  for (let run = 0; run < Math.min(runs, 3); run++) {
    const page = await browser.newPage();
    const node = await startScriptedNode({ answer: manyPieces, pieceMs: 0 });
    await page.goto(`${node.url}#/playground`);
    const question = page.getByRole('textbox', { name: 'Ask something' });
    await question.fill('Tell me everything');
    await page.waitForLoadState('networkidle');
    const tasksOf = async (action: () => Promise<unknown>) => {
      await browser.startTracing(page, { categories: ['devtools.timeline'] });
      await action();
      return longestTask(JSON.parse(String(await browser.stopTracing())));
    };
    await question.press('Enter');
    await page.getByRole('heading', { name: 'A heading' }).first().waitFor(); // what draws Markdown has been fetched
    coming.push(await tasksOf(() => page.locator('article table').nth(SOME_TABLES).waitFor()));
    const end = page.getByRole('button', { name: 'Answer again' });
    ending.push(await tasksOf(() => end.waitFor().then(() => page.waitForTimeout(SETTLED_MS))));
    await page.close();
    await node.close();
  }
  const row = (name: string, ours: number[]) =>
    benchRow({ bench: 'ui', case: name, unit: 'ms (less is better)', ours, goal: '≤ 50' });
  return [
    row('an answer of 5,000 pieces, longest task while it comes', coming),
    row('an answer of 5,000 pieces, longest task until it is drawn whole', ending),
  ];
}

async function* manyPieces(): AsyncGenerator<string> {
  const words = MARKDOWN.split(/(?<= )/);
  for (let piece = 0; piece < PIECES; piece++) {
    if (piece % PIECES_AT_ONCE === 0) await sleep(PAUSE_MS);
    yield words[piece % words.length] ?? '';
  }
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** When it began, and how long it took, by the clock and of the processor; microseconds. */
  ts: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** Milliseconds of the processor's time that the longest piece of work of a page's main thread took, with all within it. */
function longestTask({ traceEvents }: { traceEvents: TraceEvent[] }): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mains = new Set(traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf));
  // The tracing's own start interrupts the page, which is no work of ours.
  const counts = ({ ph, name }: TraceEvent) => ph === 'X' && !name.startsWith('V8.');
  const worked = traceEvents.filter((event) => counts(event) && mains.has(threadOf(event)));
  return Math.max(0, ...worked.map(({ tdur = 0 }) => tdur / 1_000));
}

/** Live objects on the page's heap after an hour of live charts ÷ before; the charts are full from the start. */
async function heapGrowth(browser: Browser): Promise<BenchRow> {
  const before: number[] = [];
  const after: number[] = [];
  for (let run = 0; run < Math.min(runs, 3); run++) {
    const node = await startScriptedNode({ samplesPerSecond: SAMPLES_A_SECOND });
    const page = await browser.newPage();
    await page.goto(node.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout((WARM_UP_SAMPLES / SAMPLES_A_SECOND) * 1_000); // what is loaded late is loaded, hot code compiled
    before.push(await heapOf(page));
    await page.waitForTimeout((HOUR_OF_SAMPLES / SAMPLES_A_SECOND) * 1_000);
    after.push(await heapOf(page));
    await page.close();
    await node.close();
  }
  return benchRow({
    bench: 'ui',
    case: 'heap after an hour of live charts ÷ before',
    unit: 'MB (less is better)',
    ours: after,
    peer: before,
    peerName: 'the same page before',
    goal: '≤ 1.05',
  });
}

/** Megabytes, garbage collected. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
  await session.detach();
  return usedSize / 1e6;
}

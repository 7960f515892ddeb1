/**
 * Measures what recording the screen costs: the processor time of Chromium (all its processes) while Quarry's page records another, at 720p and 15 pictures a second,
 * beside the browser's own recorder with the same settings, whose chunks nobody keeps. Prints a JSON row for each figure, as `quarry bench` does. Linux only.
 * Usage: npm run bench:focus [-- RUNS [SECONDS]]
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { ignoring } from '../src-main/base/swallowed.ts';
import { type BenchRow, benchRow } from '../src-main/bench/row.ts';
import { CHROMIUM_FLAGS, findWholeChromium } from '../test/support/chromium.ts';
import { cookieOfLink } from '../test/support/owner.ts';
import { QuarryProcess, temporaryFolder } from '../test/support/quarry-process.ts';

/** Of `/proc`: Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;
const WARM_UP_MS = 4_000;
const runs = Number(process.argv[2] ?? 3);
const seconds = Number(process.argv[3] ?? 20);

const PICTURE_MS = 1_000 / 15;
/** What is recorded: a page of text that is scrolled, a new picture fifteen times a second. Chosen by its title, since nobody is there to choose. */
const PAPER = `<title>Paper</title><body style="margin:0;font:16px monospace"><script>
  document.body.append(Array.from({ length: 9_000 }, (_, at) => 'word' + ((at * 7_919) % 9_973)).join(' '));
  let y = 0;
  setInterval(() => scrollTo(0, (y = (y + 6) % 3_000)), ${PICTURE_MS});
</script>`;
/** The same settings as src-renderer/pages/focus/recording/stream-recorder.ts. */
const PLAIN = `(async () => {
  const stream = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: 15 }, selfBrowserSurface: 'include' });
  const recorder = new MediaRecorder(stream, { mimeType: 'video/webm;codecs=vp9', videoBitsPerSecond: 2_500_000, videoKeyFrameIntervalDuration: 2_000 });
  recorder.start(1_000);
})()`;

const executablePath = findWholeChromium();
if (!executablePath) process.exit(1);
const folder = await temporaryFolder();
const flags = ['--role', 'client', '--port', '0', '--data', folder.path, '--bootstrap', '127.0.0.1:9'];
const node = new QuarryProcess(['start', '--headless', ...flags], { QUARRY_SHOW_WELCOME: 'false' });
const [, link = ''] = await node.printed(/screens\s+(\S+)/);
const cookie = await cookieOfLink(link);
try {
  const away: Figures = { ours: [], plain: [] };
  const seen: Figures = { ours: [], plain: [] };
  for (let run = 0; run < runs; run++) {
    process.stderr.write(`Run ${run + 1} of ${runs} …\n`);
    away.plain.push(await measured(plain, 'models'));
    away.ours.push(await measured(ours, 'models'));
    seen.plain.push(await measured(plain, 'focus'));
    seen.ours.push(await measured(ours, 'focus'));
  }
  print(row('another page open', away));
  print(row('with the preview in sight', seen));
} finally {
  await node.stop();
  await folder.remove();
}

interface Figures {
  ours: number[];
  plain: number[];
}

function row(name: string, figures: Figures): BenchRow {
  return benchRow({
    bench: 'focus',
    case: `recording 720p15, ${name}`,
    unit: '% of a core, less is better',
    goal: '≤ 1.10',
    peerName: 'MediaRecorder alone',
    ours: figures.ours,
    peer: figures.plain,
  });
}

function print(one: BenchRow): void {
  process.stdout.write(`${JSON.stringify(one)}\n`);
}

async function ours(page: Page): Promise<void> {
  await page.getByLabel('What are you going to do?').fill('Read');
  await page.getByRole('button', { name: 'Choose what to record' }).click();
  await page.getByRole('timer').waitFor();
}

async function plain(page: Page): Promise<void> {
  await page.getByLabel('What are you going to do?').click(); // the browser wants somebody to have clicked
  await page.evaluate(PLAIN);
}

/** Processor time of a browser that records, percent of one core. */
async function measured(record: (page: Page) => Promise<void>, shown: 'focus' | 'models'): Promise<number> {
  const args = [...CHROMIUM_FLAGS, '--auto-select-tab-capture-source-by-title=Paper'];
  const server = await chromium.launchServer({ executablePath, args });
  const browser = await chromium.connect(server.wsEndpoint());
  const context = await browser.newContext({ viewport: { width: 1_280, height: 720 } });
  await context.addCookies([cookie]);
  const paper = await context.newPage();
  await paper.setContent(PAPER);
  const page = await context.newPage();
  await page.goto(`${new URL(link).origin}/#/focus`);
  await record(page);
  if (shown === 'models') await page.evaluate(`location.hash = '#/models'`);
  await sleep(WARM_UP_MS);
  const pid = server.process().pid ?? 0;
  const [before, since] = [await processorMs(pid), performance.now()];
  await sleep(1_000 * seconds);
  const used = ((await processorMs(pid)) - before) / (performance.now() - since);
  await browser.close();
  await server.close();
  return 100 * used;
}

/** Of a process and all that it started, milliseconds. */
async function processorMs(root: number): Promise<number> {
  const all = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(statOf));
  const tree = new Set([root]);
  let size = 0;
  while (size !== tree.size) {
    size = tree.size;
    for (const one of all) if (one && tree.has(one.parent)) tree.add(one.pid);
  }
  return all.reduce((sum, one) => sum + (one && tree.has(one.pid) ? one.ms : 0), 0);
}

async function statOf(pid: string): Promise<{ pid: number; parent: number; ms: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(ignoring('it has ended meanwhile'));
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
  return { pid: Number(pid), parent: parent ?? 0, ms: TICK_MS * ((user ?? 0) + (system ?? 0)) };
}

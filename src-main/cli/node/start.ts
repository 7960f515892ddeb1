import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { NodeHost } from '../../app/node-host.ts';
import { ignoring } from '../../base/swallowed.ts';
import { version } from '../../base/version.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { hasTime } from '../terminal/interruption.ts';
import type { Output } from '../terminal/output.ts';
import { addSettingOptions } from '../terminal/setting-options.ts';
import { attend } from './attend.ts';
import { runDemo } from './demo.ts';
import { statusLine } from './node-report.ts';
import { findWindow, runWindow, windowSurroundings } from './open-window.ts';

/** Milliseconds between two lines that say how the node is. */
const STATUS_MS = 30_000;

interface StartFlags {
  headless?: boolean;
  demo?: boolean;
}

/** `quarry start`: the main job. */
export function registerStart(program: Command): void {
  const command = program
    .command('start')
    .description('join the mesh and serve a model (miner), or only ask (client)')
    .option('--headless', 'without a window: the screens are in the browser')
    .option('--demo', 'a whole mesh on this computer, to watch: workers, clients, and one that lies');
  addSettingOptions(command, 'start').action(
    runCommand((context, flags: StartFlags) => (flags.demo ? runDemo(context) : start(context, flags))),
  );
}

async function start(context: CommandContext, flags: StartFlags): Promise<void> {
  const { output } = context;
  output.line(styleText('bold', `Quarry ${version}`));
  if (!flags.headless && !output.json && (await openWindow(context))) return;
  await startHeadless(context);
}

/** @returns whether there was a window, which is closed by now; if there is none, why has been said */
async function openWindow({ config, sources, output, signal }: CommandContext): Promise<boolean> {
  const surroundings = windowSurroundings(output.note, signal);
  const window = await findWindow(surroundings);
  const { entry } = surroundings;
  if ('electron' in window && entry) {
    const run = { electron: window.electron, entry, dataDir: config.dataDir, flags: sources.flags ?? {} };
    process.exitCode = await runWindow(run, signal);
    return true;
  }
  if ('reason' in window) output.line(`No window, because ${window.reason}: the screens are in the browser.`);
  return false;
}

async function startHeadless({ config, sources, output, signal }: CommandContext): Promise<void> {
  const { NodeHost } = await import('../../app/node-host.ts');
  const { minesOnServer, serverParts } = await import('../../app/server-parts.ts');
  const host = new NodeHost({ sources, parts: (now) => serverParts(now, sources) });
  const failed = Promise.withResolvers<never>();
  const asked = new AbortController(); // by `quarry stop`
  host.on('stop', () => asked.abort());
  host.on('failed', failed.reject);
  // Not before: a folder that is taken, or cannot be used, loads nothing.
  const loads = minesOnServer(config, sources);
  host.once('begun', () => output.line(loads ? 'Loading the model …' : 'Joining the mesh …'));
  await host.open();
  const timer = setInterval(() => void tell(host, output), STATUS_MS);
  try {
    await Promise.race([failed.promise, attend(host, output, AbortSignal.any([signal, asked.signal]))]);
  } finally {
    clearInterval(timer);
    if (hasTime(signal)) {
      output.line('Stopping: what is under way comes to its end, and nothing new is taken.');
      await host.drain();
    }
    output.line('Stopping: requests at work go to other nodes. Ctrl+C again ends at once.');
    await host.close();
  }
}

/** A node that is just being closed has nothing to say. */
async function tell({ app }: NodeHost, output: Output): Promise<void> {
  const line = app && (await statusLine(app).catch(ignoring('it is just being closed')));
  if (line) output.line(line);
}

import { styleText } from 'node:util';
import type { Command } from 'commander';
import { shortId } from '../../src-preload/contract/limits.ts';
import type { NodeHost } from '../app/node-host.ts';
import { ignoring } from '../base/swallowed.ts';
import { version } from '../base/version.ts';
import { PAIR_CAP_A_DAY } from '../credits/score/score.ts';
import { attend } from './attend.ts';
import { type CommandContext, runCommand } from './command.ts';
import { clock, statusLine } from './node-report.ts';
import { findWindow, runWindow, windowSurroundings } from './open-window.ts';
import { counted, durationText, type Output } from './output.ts';
import { addSettingOptions } from './setting-options.ts';

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
    .option('--demo', 'a whole mesh on this machine: a worker, and a client that asks it every few seconds');
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
  const { NodeHost } = await import('../app/node-host.ts');
  const { minesOnServer, serverParts } = await import('../app/server-parts.ts');
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
    output.line('Stopping: requests under way get an error and go elsewhere. Ctrl+C again ends at once.');
    await host.close();
  }
}

/** A node that is just being closed has nothing to say. */
async function tell({ app }: NodeHost, output: Output): Promise<void> {
  const line = app && (await statusLine(app).catch(ignoring('it is just being closed')));
  if (line) output.line(line);
}

async function runDemo({ config, output, signal }: CommandContext): Promise<void> {
  output.line(styleText('bold', `Quarry ${version}: a whole mesh on this machine`));
  const { demo } = await import('../app/demo.ts');
  for await (const scene of demo(config, signal)) {
    switch (scene.type) {
      case 'ready':
        output.document({
          worker: scene.worker,
          client: scene.client,
          model: scene.model,
          url: scene.url,
          screens: scene.screens,
        });
        output.line(
          `  A meeting point, a worker (${shortId(scene.worker)}) and a client (${shortId(scene.client)}) are up.`,
        );
        output.line(
          `  The worker serves the model «${scene.model}»; the built-in one babbles, the path it takes is the real one.`,
        );
        output.line(`  Watch the worker in a browser:  ${scene.screens}`);
        output.line(
          `  Ask the mesh yourself:  curl ${scene.url}/v1/chat/completions -H 'content-type: application/json' \\`,
        );
        output.line(`    -d '{"model":"mesh","messages":[{"role":"user","content":"Hello"}]}'`);
        output.line(`  Ctrl+C stops.\n`);
        break;
      case 'question':
        output.line(`${clock()} ${styleText('cyan', 'client')} asks: ${scene.text}`);
        break;
      case 'answer':
        output.line(`${clock()} ${styleText('magenta', 'worker')} answers: ${styleText('dim', oneLine(scene.text))}`);
        output.line(
          `         ${counted(scene.tokens, 'token')} in ${durationText(scene.ms)}, first after ${durationText(scene.firstTokenMs)}`,
        );
        break;
      case 'credits':
        output.line(
          `         both signed the receipt: the client owes ${counted(scene.cost, 'credit')} more (${scene.owed.toLocaleString('en')} in all), worker ${styleText('green', `+${counted(scene.points, 'point')}`)} (${scene.workerPoints} in all: ${scene.tier})`,
        );
        if (scene.points === 0) {
          output.line(`         no points: only ${PAIR_CAP_A_DAY} receipts a day count between the same two nodes`);
        }
        output.line();
        break;
      case 'failure':
        output.line(`${clock()} ${styleText('red', 'no answer')}: ${scene.error.message} ${scene.error.hint ?? ''}\n`);
    }
  }
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > 160 ? `${flat.slice(0, 160)}…` : flat;
}

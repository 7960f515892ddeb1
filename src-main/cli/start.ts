import { once } from 'node:events';
import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { type PolicyView, ROLES, type Role } from '../../src-preload/contract/node.ts';
import type { App } from '../app/app.ts';
import type { Config } from '../app/config.ts';
import { createApp } from '../app/create-app.ts';
import { demo } from '../app/demo.ts';
import { version } from '../app/version.ts';
import { PAIR_CAP_A_DAY } from '../credits/score.ts';
import { type CommandContext, runCommand } from './command.ts';
import { asTyped } from './invocation.ts';
import { durationText, type Output, shortId } from './output.ts';

/** Milliseconds between two lines that say how the node is. */
const STATUS_MS = 30_000;

interface StartFlags {
  headless?: boolean;
  demo?: boolean;
  role?: Role;
}

/** `quarry start`: the main job. */
export function registerStart(program: Command): void {
  program
    .command('start')
    .description('join the mesh and serve a model (miner), or only ask (client)')
    .option('--headless', 'without a window (there is none yet: this is how it always starts)')
    .option('--demo', 'a whole mesh on this machine: a worker, and a client that asks it every few seconds')
    .addOption(new Option('--role <role>', 'what this node does').choices(ROLES))
    .option('--mesh <name>', 'mesh to join (the same as --mesh-name)')
    .option('--model <name>', 'installed model, or path of a .gguf file')
    .action(runCommand((context, flags: StartFlags) => (flags.demo ? runDemo(context) : start(context))));
}

async function start({ config, output, signal }: CommandContext): Promise<void> {
  const mines = config.role === 'miner';
  output.line(styleText('bold', `Quarry ${version}`));
  output.line(mines ? 'Loading the model …' : 'Joining the mesh …');
  const sharing = config.models.fromPeers || config.sharing.seed;
  await using app = await createApp(config, { engine: mines, mesh: true, sharing, worker: mines, server: true });
  output.document(await app.status());
  await introduce(app, output);
  report(app, output);
  const timer = setInterval(async () => output.line(await statusLine(app)), STATUS_MS);
  try {
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    clearInterval(timer);
    output.line('Stopping: requests under way get an error and go elsewhere.');
  }
}

async function introduce(app: App, output: Output): Promise<void> {
  const { engine, url, id, credits, policy } = await app.status();
  const row = (name: string, text: string) => output.line(`  ${styleText('dim', name.padEnd(8))} ${text}`);
  row('node', `${shortId(id)}, a ${app.config.role} on ${meshText(app.config.mesh)}`);
  if (app.config.role === 'validator') row('', 'It reads the score logs of workers and bears witness to them.');
  if (engine.model) {
    const { name, device, threads, contextSize, parallel, tiny } = engine.model;
    const pace = device === 'cpu' ? `CPU, ${threads} thread${threads === 1 ? '' : 's'}` : device;
    row('model', `${name} on ${pace}: ${parallel} requests at a time, ${contextSize} tokens each`);
    if (tiny) {
      row('', styleText('yellow', 'This is the built-in model: it babbles and is only for trying things out.'));
      row('', asTyped('Get one that fits this machine: quarry models recommend'));
    }
  }
  row('credits', `${credits.available} to spend, ${credits.points} points earned: ${credits.tier}`);
  row('api', `${url}/v1  (OpenAI-compatible; models: ${app.backend ? 'local, mesh' : 'mesh'})`);
  for (const text of limitLines(policy)) row('limits', text);
  output.line(`${styleText('green', 'Ready.')} Ctrl+C stops.`);
}

/** The rules of the load policy that hold this node back, or may without anybody knowing. */
function limitLines(policy: PolicyView | undefined): string[] {
  const shown = policy?.rules.filter(({ state }) => state === 'met' || state === 'unknown') ?? [];
  return shown.map(({ rule, action, state, text }) => {
    if (state === 'unknown') return styleText('dim', `${rule}: ${text}`);
    return `${action === 'pause' ? 'paused' : 'throttled'}: ${text}`;
  });
}

function meshText({ name, secret }: Config['mesh']): string {
  if (name) return `the mesh «${name}»`;
  return secret ? 'a private mesh without a name' : 'the public mesh';
}

/** Says what happens as it happens. */
function report(app: App, output: Output): void {
  app.on('booked', ({ body }, { points, achievements }) => {
    const work = `${body.completionTokens} tokens in ${durationText(body.processingMs)}`;
    output.line(`${clock()} served ${shortId(body.client)}: ${work}, ${styleText('green', `+${points} points`)}`);
    for (const achievement of achievements) output.line(`${clock()} ${styleText('yellow', `★ ${achievement}`)}`);
  });
  app.mesh?.inference.on('peer', ({ id, roles }) => output.line(`${clock()} met ${shortId(id)} (${roles.join(', ')})`));
  app.mesh?.inference.on('leave', ({ id }, reason) => output.line(`${clock()} ${shortId(id)} left: ${reason}`));
  app.policy?.subscribe(({ mode, reasons }) => {
    const why = reasons.map(({ text }) => text).join(' ');
    output.line(`${clock()} ${mode === 'full' ? 'working at full speed again' : `${mode}: ${why}`}`);
  });
}

async function statusLine(app: App): Promise<string> {
  const { engine, health, queue, peers, served, credits } = await app.status();
  const parts = [
    health && `health ${health.score} (${health.state})`,
    engine.state !== 'ready' && engine.state !== 'none' && `engine ${engine.state}`,
    `${peers} peer${peers === 1 ? '' : 's'}`,
    app.worker && `${queue.active} running, ${queue.waiting} waiting`,
    app.worker && `${served.requests} served`,
    `${credits.points} points (${credits.tier})`,
  ];
  return `${clock()} ${styleText('dim', parts.filter(Boolean).join(' · '))}`;
}

async function runDemo({ config, output, signal }: CommandContext): Promise<void> {
  output.line(styleText('bold', `Quarry ${version}: a whole mesh on this machine`));
  for await (const scene of demo(config, signal)) {
    switch (scene.type) {
      case 'ready':
        output.document({ worker: scene.worker, client: scene.client, model: scene.model, url: scene.url });
        output.line(
          `  A meeting point, a worker (${shortId(scene.worker)}) and a client (${shortId(scene.client)}) are up.`,
        );
        output.line(
          `  The worker serves the model «${scene.model}»; the built-in one babbles, the path it takes is the real one.`,
        );
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
          `         ${scene.tokens} tokens in ${durationText(scene.ms)}, first after ${durationText(scene.firstTokenMs)}`,
        );
        break;
      case 'credits':
        output.line(
          `         both signed the receipt: client −${scene.cost} (${scene.clientAvailable.toLocaleString('en')} left), worker ${styleText('green', `+${scene.points} points`)} (${scene.workerPoints} in all: ${scene.tier})`,
        );
        if (scene.points === 0) {
          output.line(`         no points: only ${PAIR_CAP_A_DAY} receipts a day count between the same two nodes`);
        }
        output.line();
        break;
      case 'failure':
        output.line(
          `${clock()} ${styleText('red', 'no answer')}: ${scene.error.message} ${asTyped(scene.error.hint ?? '')}\n`,
        );
    }
  }
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > 160 ? `${flat.slice(0, 160)}…` : flat;
}

function clock(): string {
  return styleText('dim', new Date().toLocaleTimeString('en-GB'));
}

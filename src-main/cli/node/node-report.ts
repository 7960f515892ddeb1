import { styleText } from 'node:util';
import type { ErrorView } from '../../../src-preload/contract/error-schema.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { shortId } from '../../../src-preload/contract/limits.ts';
import type { NodeStatus, PolicyView } from '../../../src-preload/contract/node.ts';
import { defaultDataDir } from '../../base/data-folder.ts';
import type { PolicyWatcher } from '../../hardware/policy-watcher.ts';
import type { InferenceMessage } from '../../mesh/inference/messages.ts';
import type { MeshNetwork } from '../../mesh/transport/network.ts';
import type { MeshWork } from '../../mining/mesh-work.ts';
import type { FixedConfig } from '../../settings/config.ts';
import type { Settings } from '../../settings/settings.ts';
import { counted, durationText, errorText, type Output } from '../terminal/output.ts';

/** As much of a node as is reported on a terminal. */
export interface ReportedNode {
  readonly node: { status(): Promise<NodeStatus> };
  readonly config: FixedConfig;
  readonly settings: Pick<Settings, 'rejected' | 'follow'>;
  readonly inference: { models(): Promise<{ name: string }[]> };
  readonly door: { entry(): { url: string; expiresAt: number } };
  readonly mining:
    | {
        switch: { state: string; start(): Promise<void> };
        work: Pick<MeshWork, 'on'>;
        policy: Pick<PolicyWatcher, 'subscribe'>;
      }
    | undefined;
  readonly competition: {
    state(): Promise<{ running: { url: string; server: string; open: { round: number } } | null; error?: ErrorView }>;
  };
  readonly mesh: { inference: Pick<MeshNetwork<InferenceMessage>, 'on'> } | undefined;
}

/** Where a person opens the screens, and what to know of that. */
interface Screens {
  url: string;
  help: string;
}

/** By a link that lets in who has it, or where the browser asks for the token. */
export function screensOf({ config, door }: ReportedNode, { url: server = '' }: NodeStatus): Screens {
  if (config.apiToken) {
    const url = `${(config.publicUrl ?? server).replace(/\/$/, '')}/`;
    return { url, help: `The browser asks for the API token. A link that needs none: ${openCommand(config)}` };
  }
  const { url, expiresAt } = door.entry();
  return {
    url,
    help: `Works once, within ${durationText(expiresAt - Date.now())}. Another link: ${openCommand(config)}`,
  };
}

/** As it must be typed for this node, in any folder. */
function openCommand({ dataDir }: FixedConfig): string {
  if (dataDir === defaultDataDir()) return 'quarry open';
  return `quarry open --data ${/^[\w./:\\-]+$/.test(dataDir) ? dataDir : `"${dataDir}"`}`;
}

/** So many names of models stand in a line. */
const NAMES = 4;

async function modelsText({ inference }: ReportedNode): Promise<string> {
  const names = (await inference.models()).map(({ name }) => name);
  const more = names.length > NAMES ? ` and ${names.length - NAMES} more` : '';
  return `${names.slice(0, NAMES).join(', ') || 'none'}${more}`;
}

/**
 * What the node is, and where to look.
 * @param screens see {@link screensOf}
 * @throws nothing: a model that could not be loaded is told like the rest
 */
export async function introduce(
  app: ReportedNode,
  status: NodeStatus,
  screens: Screens,
  output: Output,
): Promise<void> {
  const { engine, mining, url = '', id, credits, policy } = status;
  const row = (name: string, text: string) => output.line(`  ${styleText('dim', name.padEnd(8))} ${text}`);
  row('node', `${shortId(id)}, a ${app.config.role} on ${meshText(app.config.mesh)}`);
  if (engine.model) {
    const { name, device, threads, contextSize, parallel, tiny, kvCache = 'f16', rope, draft } = engine.model;
    const pace = device === 'cpu' ? `CPU, ${counted(threads ?? 1, 'thread')}` : device;
    row(
      'model',
      `${name} on ${pace}: ${counted(parallel, 'request')} at a time, ${counted(contextSize, 'token')} each`,
    );
    if (kvCache !== 'f16') row('', `Its cache is kept as ${kvCache}: others of the mesh cannot check its answers.`);
    if (rope)
      row('', `Its positions are scaled (${rope.type}, ${rope.factor}): others of the mesh cannot check its answers.`);
    if (draft) row('draft', draftText(draft));
    if (tiny) {
      row('', styleText('yellow', 'This is the built-in model: it babbles, and is only for trying things out.'));
      row('', 'Get one that fits this machine: quarry models recommend');
    }
  }
  row('credits', `${credits.available} to spend, ${counted(credits.points, 'point')} earned: ${credits.tier}`);
  row('screens', screens.url);
  row('', screens.help);
  row('api', `${url}/v1  (OpenAI-compatible; models: ${await modelsText(app)})`);
  const { running: served, error: notServed } = await app.competition.state();
  if (served) row('contest', `round ${served.open.round} at ${served.url}, key ${served.server}`);
  for (const text of limitLines(policy)) row('limits', text);
  const { rejected } = app.settings;
  if (rejected) {
    output.note(errorText(rejected));
    output.note('The node could not start with the settings of the app, so it runs with those before.');
  }
  if (notServed) output.note(errorText(new QuarryError(notServed)));
  if (mining?.error) output.note(errorText(new QuarryError(mining.error)));
  if (mining && mining.state !== 'running') {
    row('mining', styleText('yellow', 'stopped. To mine: press Start on the screens, or start this again with --mine'));
  }
  if (app.config.role === 'validator' && app.settings.follow('validator').now.enabled === false) {
    row('asking', styleText('yellow', 'off since it was stopped. To ask miners: quarry validator run --detach'));
  }
  output.line(`${styleText('green', 'Ready.')} Ctrl+C stops.`);
}

const RULES: Record<PolicyView['rules'][number]['rule'], string> = {
  battery: 'battery',
  user: 'computer in use',
  gpu: 'GPU in use',
  heat: 'temperature',
  'quiet-hours': 'quiet hours',
};

const ENGINE: Partial<Record<NodeStatus['engine']['state'], string>> = {
  starting: 'loading the model',
  restarting: 'the engine is starting again',
  broken: 'the engine failed',
  closed: 'the engine is closed',
};

/** The rules of the load policy that hold this node back, or may without anybody knowing. */
function limitLines(policy: PolicyView | undefined): string[] {
  const shown = policy?.rules.filter(({ state }) => state === 'met' || state === 'unknown') ?? [];
  return shown.map(({ rule, action, state, text }) => {
    if (state === 'unknown') return styleText('dim', `${RULES[rule]}: ${text}`);
    return `${action === 'pause' ? 'paused' : 'slowed down'}: ${text}`;
  });
}

function meshText({ name, secret }: FixedConfig['mesh']): string {
  if (name) return `the mesh «${name}»`;
  return secret ? 'a private mesh without a name' : 'the public mesh';
}

/** Says what happens as it happens, until the node closes. */
export function report(app: ReportedNode, output: Output): void {
  app.mining?.work.on('booked', ({ body }, { points, achievements }) => {
    const work = `${counted(body.completionTokens, 'token')} in ${durationText(body.processingMs)}`;
    output.line(
      `${clock()} served ${shortId(body.client)}: ${work}, ${styleText('green', `+${counted(points, 'point')}`)}`,
    );
    for (const achievement of achievements) output.line(`${clock()} ${styleText('yellow', `★ ${achievement}`)}`);
  });
  app.mesh?.inference.on('peer', ({ id, sides }) => output.line(`${clock()} met ${shortId(id)} (${sides.join(', ')})`));
  app.mesh?.inference.on('leave', ({ id }, reason) => output.line(`${clock()} ${shortId(id)} left: ${reason}`));
  app.mining?.policy.subscribe(({ mode, reasons }) => {
    const why = reasons.map(({ text }) => text).join(' ');
    output.line(
      `${clock()} ${mode === 'full' ? 'working at full speed again' : `${mode === 'paused' ? 'paused' : 'slowed down'}: ${why}`}`,
    );
  });
}

/** How the node is, in one line. */
export async function statusLine(app: ReportedNode): Promise<string> {
  const { engine, mining, health, queue, peers, served, credits } = await app.node.status();
  const parts = [
    health && `health ${health.score} (${health.state})`,
    mining && mining.state !== 'running' && `mining ${mining.state}`,
    ENGINE[engine.state],
    counted(peers, 'peer'),
    app.mining && `${queue.active} running, ${queue.waiting} waiting`,
    app.mining && `${served.requests} served`,
    `${counted(credits.points, 'point')} (${credits.tier})`,
  ];
  return `${clock()} ${styleText('dim', parts.filter(Boolean).join(' · '))}`;
}

/** The time of day, for the beginning of a line. */
export function clock(): string {
  return styleText('dim', new Date().toLocaleTimeString('en-GB'));
}

/** How the model that guesses ahead does. */
function draftText({
  name,
  error,
  right,
  gain,
}: NonNullable<NonNullable<NodeStatus['engine']['model']>['draft']>): string {
  if (error) return `${name} guesses nothing: ${error}`;
  if (right === undefined || gain === undefined) return `${name} guesses ahead where that is measured to pay`;
  const share = `${Math.round(right * 100)} % of its guesses are right`;
  return gain > 1
    ? `${name}: ${share}, ${gain.toFixed(1)} times as fast`
    : `${name}: ${share}, which does not pay here`;
}

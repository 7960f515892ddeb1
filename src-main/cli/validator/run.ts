import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { AskedMiner, RunStateView, WeightSetting } from '../../../src-preload/contract/validator-run.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { readRunningNode } from '../../client/running-node.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, type Output, percent, shortened, table, timeText } from '../terminal/output.ts';
import { followRun, progressLine } from './follow-run.ts';
import { NOBODY_TEXT } from './nobody-to-ask.ts';
import { rulesOf } from './node-rules.ts';
import { tellOfOthers } from './results-of-others.ts';
import { forgedText } from './set-weights.ts';

const DAY_MS = 86_400_000;
/** Whoever wants some answers, as a script does, is not left waiting for ever where nobody is there to give one. */
const GIVE_UP_MS = 30_000;

interface RunFlags {
  answers?: number;
  detach?: boolean;
}

/** `quarry validator run`, `status` and `stop`: asking miners on and on. */
export function registerRun(validator: Command): void {
  validator
    .command('run')
    .description('ask miners challenges, on and on, and keep what comes of them')
    .option(
      '--answers <n>',
      'end once there are so many; where miners are asked already, look on until there are; exit code 1 where nobody is there to ask for 30 seconds',
      integer(1),
    )
    .option('--detach', 'with a node that runs: begin, and do not stay')
    .addHelpText('after', HELP)
    .action(runCommand(run));
  validator
    .command('status')
    .description('whether miners are asked, whom, and what has come of it so far')
    .action(runCommand(status));
  validator
    .command('stop')
    .description('begin nothing more, and end what is being asked (within the setting drainSeconds)')
    .action(runCommand(stop));
}

const HELP = `
Whom it asks: miners at addresses of their own («quarry validator miner add»), workers of the mesh (setting
validator.mesh), and axons of a subnet of Bittensor (validator.netuid). What is kept can be looked at while it runs:
«quarry validator weights». Killed at any moment it loses nothing: what it was asking is asked again when it is back.
«quarry start --headless --role validator» does the same as long as the node runs.`;

async function run(context: CommandContext, { answers, detach = false }: RunFlags): Promise<void> {
  const { output, withNode, config, signal } = context;
  if (detach && !(await readRunningNode(config.dataDir))) throw nobodyGoesOn();
  await withNode({ mesh: config.validator.mesh }, async (node) => {
    const before = await lookAt(node, signal);
    await node.validator.start(detach ? {} : { answers });
    if (detach) return output.line('Asking is on. «quarry validator status» says whom it asks, and how that goes.');
    try {
      const onEnd = (last: RunStateView) => tell(last, output);
      const endAfterMs = answers === undefined ? undefined : GIVE_UP_MS;
      const most = answers ?? Number.POSITIVE_INFINITY;
      await followRun(node.validator, { most, output, signal, onEnd, patience: { endAfterMs } });
    } finally {
      if (before.status === 'stopped') await node.validator.stop(); // who has begun it ends it
    }
  });
}

const nobodyGoesOn = () =>
  new QuarryError({
    code: 'NOT_RUNNING',
    message: 'No node is running here, so nothing would go on asking.',
    hint: 'Start one: «quarry start --headless --role validator». Or leave out --detach.',
  });

async function lookAt(node: NodeClient, signal: AbortSignal): Promise<RunStateView> {
  for await (const state of await node.validator.run(undefined, { signal })) return state;
  throw new Error('a state that never comes');
}

async function status({ output, withNode, signal }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const state = await lookAt(node, signal);
    if (state.status === 'running') output.line(progressLine(state));
    else output.line(state.status === 'stopped' ? STOPPED : 'What is being asked comes to its end.');
    tell(state, output);
    const { days } = await rulesOf(node);
    await tellOfOthers(node, output, Math.max(0, Math.floor(Date.now() - days * DAY_MS)));
  });
}

function tell(state: RunStateView, output: Output): void {
  output.document(state);
  const rows = state.miners.map(row);
  if (state.status !== 'stopped') output.line(rows.length === 0 ? NOBODY_TEXT : table(HEAD, rows));
  for (const { miner, fault } of state.miners) if (fault) output.line(foreignLine(`${miner}: ${fault.text}`));
  if (state.weights.way !== 'off') output.line(weightsLine(state.weights));
  if (state.weights.forged > 0) output.line(forgedText(state.weights));
}

function weightsLine({ netuid, by, setAt, nextAt, onSubnet, fault }: WeightSetting): string {
  const set = setAt === null ? 'not set since the start' : `set ${timeText(setAt)} for ${counted(onSubnet, 'neuron')}`;
  const next = nextAt === null ? '' : `, due ${timeText(nextAt)}`;
  const who = by === null ? '' : `, signed by ${by}`;
  const why = fault ? ` — not being set now: ${fault.text}` : '';
  return foreignLine(`Weights of subnet ${netuid ?? '–'}: ${set}${next}${who}${why}`);
}

const HEAD = ['MINER', 'MODEL', 'ANSWERS', 'RIGHT', 'NO ANSWER', 'NOT REACHED', 'UNDER WAY'];
/** More of a model’s name has no room on a terminal of 80 columns; `--json` has all of it. */
const MODEL_CHARS = 20;
const STOPPED = 'No miners are asked: «quarry validator run» begins.';

const row = ({ miner, model, answered, score, failed, notReached, inFlight }: AskedMiner) => [
  ...[miner, modelText(model), answered, answered > 0 ? percent(score / answered) : '–'],
  ...[failed, notReached, inFlight],
];

function modelText(model: string): string {
  return shortened(foreignLine(model), MODEL_CHARS) || '–';
}

async function stop({ output, withNode, signal }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const { status: before } = await lookAt(node, signal);
    await node.validator.stop();
    output.document({ status: 'stopped', before });
    output.line(before === 'stopped' ? 'No miners were asked.' : 'No miners are asked any more.');
  });
}

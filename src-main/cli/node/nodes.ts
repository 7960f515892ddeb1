import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { LoadedModel } from '../../../src-preload/contract/models.ts';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { NodeList } from '../../app/host/node-list.ts';
import { isLocked } from '../../base/file-lock.ts';
import { ignoring } from '../../base/swallowed.ts';
import { lockPath, type RunningNode, reachableNode, readRunningNode } from '../../client/running-node.ts';
import type { Config } from '../../settings/config.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { withRunning } from '../terminal/node-client.ts';
import { durationText, table } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';

/** Milliseconds that a node may take to close: it finishes what it writes, and says goodbye to its peers. */
const CLOSE_MS = 60_000;
const LOOK_AGAIN_MS = 100;
/** Milliseconds in which a node answers, or counts as one that does not. */
const ANSWER_MS = 5_000;

/** `quarry ps`: the nodes of this user, and what they have loaded. */
export function registerPs(program: Command): void {
  program
    .command('ps')
    .description('list your running nodes: the model that each has loaded, its memory, and the requests at work')
    .action(runCommand(ps));
}

/** `quarry stop`: ends the running node. */
export function registerStop(program: Command): void {
  program
    .command('stop')
    .description('stop the node that runs on this data folder, the desktop app too, and wait until it has ended')
    .action(runCommand(stop));
}

/** What is shown of one node. */
export interface NodeRow {
  dataDir: string;
  pid: number;
  /** Unix milliseconds. */
  startedAt: number;
  url?: string;
  /** Absent when the node does not answer. */
  status?: Pick<NodeStatus, 'role' | 'mining' | 'engine' | 'queue'>;
  /** Bytes, estimated; null when nothing is loaded. */
  memory?: { ram: number; vram: number } | null;
  /** Models that were loaded beside the node's own; absent when it does not answer. */
  beside?: LoadedModel[];
}

async function ps({ config, output, signal }: CommandContext): Promise<void> {
  const folders = new Set([config.dataDir, ...(await new NodeList().running())]);
  const rows = await Promise.all([...folders].map((dataDir) => look(dataDir, config, signal)));
  const running = rows.filter((row) => row !== undefined);
  output.document(running);
  if (running.length === 0) return output.line('No node is running. Start one: quarry start');
  output.line(nodeTable(running));
}

/** Undefined when none runs there. */
async function look(dataDir: string, config: Config, signal: AbortSignal): Promise<NodeRow | undefined> {
  const running = await readRunningNode(dataDir);
  if (!running) return undefined;
  const { pid, startedAt, url } = running;
  const found =
    url && (await ask({ ...running, url }, config, signal).catch(ignoring('it is shown as one that is silent')));
  signal.throwIfAborted();
  return { dataDir, pid, startedAt, ...(url && { url }), ...found };
}

async function ask(node: RunningNode & { url: string }, config: Config, signal: AbortSignal) {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  return await withRunning(
    node,
    config,
    async (client) => {
      const status = await client.node.status(undefined, { signal: patience });
      const loaded = await client.models.loaded(undefined, { signal: patience });
      const { role, mining, engine, queue } = status;
      const own = loaded.find((model) => model.own);
      const beside = loaded.filter((model) => !model.own);
      return { status: { role, mining, engine, queue }, memory: own?.memory ?? null, beside };
    },
    patience,
  );
}

/** @param now Unix milliseconds. Default Date.now() */
export function nodeTable(rows: readonly NodeRow[], now = Date.now()): string {
  return table(
    ['NODE', 'PROCESS', 'DOES', 'MODEL', 'RUNS ON', 'MEMORY', 'CONTEXT', 'REQUESTS', 'SINCE'],
    rows.flatMap(({ dataDir, pid, startedAt, url, status, memory, beside = [] }) => {
      const model = status?.engine.model;
      const node = [
        shortPath(dataDir),
        String(pid),
        status ? doingText(status) : url ? 'does not answer' : 'is starting, or a command at work',
        model?.name ?? '–',
        model ? deviceText(model) : '–',
        memory ? memoryText(memory) : '–',
        model ? `${model.parallel} × ${model.contextSize.toLocaleString('en')}` : '–',
        status ? requestsText(status) : '–',
        durationText(now - startedAt),
      ];
      return [node, ...beside.map((other) => besideCells(other, now))];
    }),
  );
}

/** A model beside the node's own, in a row below it. */
function besideCells({ name, memory, freesAt, active, waiting, ...model }: LoadedModel, now: number): string[] {
  return [
    ...['', '', freesAt === null ? 'in use' : `freed in ${durationText(Math.max(0, freesAt - now))}`],
    name,
    deviceText(model),
    memory ? memoryText(memory) : '–',
    `${model.parallel} × ${model.contextSize.toLocaleString('en')}`,
    countText(active, waiting),
    '',
  ];
}

const MINING = { stopped: 'not serving', starting: 'loading', running: 'serving', stopping: 'stopping' } as const;

function doingText({ role, mining }: NonNullable<NodeRow['status']>): string {
  return mining ? MINING[mining.state] : role;
}

const DEVICES: Record<string, string> = {
  cpu: 'CPU',
  cuda: 'GPU (CUDA)',
  vulkan: 'GPU (Vulkan)',
  metal: 'GPU (Metal)',
};

function deviceText({ device }: { device: string }): string {
  return DEVICES[device] ?? device;
}

function memoryText({ ram, vram }: { ram: number; vram: number }): string {
  const parts = [vram > 0 && `${sizeText(vram)} GPU`, ram > 0 && sizeText(ram)];
  return `~${parts.filter(Boolean).join(' + ') || sizeText(0)}`;
}

/** Of the engine: also those that nobody sent over the mesh. */
function requestsText({ engine, queue }: NonNullable<NodeRow['status']>): string {
  return countText(engine.active, engine.waiting + queue.waiting);
}

function countText(active: number, waiting: number): string {
  if (active + waiting === 0) return 'none';
  return [`${active} running`, waiting > 0 && `${waiting} waiting`].filter(Boolean).join(', ');
}

function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`)
    ? `~${path.slice(home.length)}`
    : path;
}

async function stop({ config, output, signal }: CommandContext): Promise<void> {
  const { dataDir } = config;
  const { pid, url, token } = await reachableNode(dataDir, signal);
  const remark = new Remark(output);
  remark.show(`Stopping the node on ${dataDir} (process ${pid}) …`);
  try {
    await withRunning({ url, token }, config, (node) => node.node.stop(), signal);
    await gone(dataDir, pid, signal);
  } finally {
    remark.end();
  }
  output.document({ stopped: dataDir, pid });
  output.line('Stopped.');
}

/** Until the folder is free: by then everything is written. @throws DEADLINE when that takes too long */
async function gone(dataDir: string, pid: number, signal: AbortSignal): Promise<void> {
  for (const end = Date.now() + CLOSE_MS; isLocked(lockPath(dataDir)); ) {
    const now = await readRunningNode(dataDir);
    if (now && now.pid !== pid) return; // whoever keeps it running has started another
    if (Date.now() > end) throw tooLong(pid);
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

function tooLong(pid: number): QuarryError {
  return new QuarryError({
    code: 'DEADLINE',
    message: `The node was asked to stop, and is still closing after ${durationText(CLOSE_MS)}.`,
    hint: `Look at what it does (quarry logs), or end its process: ${pid}.`,
  });
}

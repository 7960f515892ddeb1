import { type Command, Option } from 'commander';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { FleetNode, NodeSummary } from '../../src-preload/contract/fleet.ts';
import { codeFault, fingerprint } from '../../src-preload/contract/pairing-code.ts';
import { ignoring } from '../base/swallowed.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import type { NodeClient } from './terminal/node-client.ts';
import { durationText, table } from './terminal/output.ts';
import { Remark } from './terminal/progress.ts';

/** What a command opens where no node runs on the data folder. */
const NEEDS = { mesh: true, fleet: true };

interface PairFlags {
  allowMining?: boolean;
}

/** `quarry my-nodes`: the other nodes of the same owner, wherever they are. */
export function registerMyNodes(program: Command): void {
  const mine = program
    .command('my-nodes')
    .description(
      'your nodes on other computers in one view: pair them by a code, see how each is, start and stop mining',
    );
  const allow = () => new Option('--allow-mining', 'let the other node start and stop mining here');
  mine
    .command('list', { isDefault: true })
    .description(
      'this node and those paired with it: how each is, and what it earned; of one that is away, what it said last',
    )
    .action(runCommand(list));
  mine
    .command('pair')
    .description(
      'show a code, good for ten minutes and one node, and wait until it is entered at the other node; Ctrl+C cancels it',
    )
    .addOption(allow())
    .action(runCommand(pair));
  mine
    .command('join')
    .argument('<code>', 'what the other node shows; spaces, dashes and small letters do not matter')
    .description('pair with the node that shows a code')
    .addOption(allow())
    .action(runCommand(join));
  const verb = (name: string, description: string, action: typeof remove) => {
    const node = mine.command(name).argument('<node>', 'its name, or the beginning of its id');
    node.description(description).action(runCommand(action));
  };
  verb('start', 'have a paired node start mining, where that is allowed there', (context, name) =>
    order(context, name, 'start'),
  );
  verb('stop', 'have a paired node stop mining, where that is allowed there', (context, name) =>
    order(context, name, 'stop'),
  );
  verb('allow', 'let a paired node start and stop mining here', (context, name) => allowMining(context, name, true));
  verb('forbid', 'let it no longer', (context, name) => allowMining(context, name, false));
  verb('remove', 'end a pairing, at both nodes as soon as the other hears of it', remove);
}

async function list({ output, withNode }: CommandContext): Promise<void> {
  await withNode(NEEDS, async (node) => {
    const view = await node.fleet.list();
    output.document(view.nodes);
    output.line(nodesTable(view.nodes));
    if (view.nodes.length > 1) return;
    output.line('Only this node so far. Type `quarry my-nodes pair` here and `quarry my-nodes join CODE` at another.');
  });
}

export function nodesTable(nodes: readonly FleetNode[]): string {
  const now = Date.now();
  return table(
    ['NODE', 'FINGERPRINT', 'STATE', 'MODEL', 'TOKENS/S', 'TODAY', '7 DAYS', 'TIER', 'SEEN'],
    nodes.map(({ id, name, self, online, seenAt, summary }) => [
      self ? `${name} (this node)` : name,
      fingerprint(id),
      summary ? stateText(summary) : '–',
      summary?.model ?? '–',
      summary?.tokensPerSecond?.toFixed(1) ?? '–',
      summary ? points(summary.earned.today) : '–',
      summary ? points(summary.earned.week) : '–',
      summary?.tier ?? '–',
      online ? 'now' : seenAt === undefined ? 'never' : `${durationText(Math.max(0, now - seenAt))} ago`,
    ]),
  );
}

const points = (count: number) => Math.round(count).toLocaleString('en');

const WORDS: Partial<Record<NodeSummary['standing'], string>> = {
  client: 'client only',
  refusing: 'not accepting',
  alone: 'waiting for peers',
  other: 'unknown here: it is another version',
};

function stateText({ standing, rule, detail }: NodeSummary): string {
  const why = rule === undefined || rule === 'other' ? detail : rule;
  const word = WORDS[standing] ?? standing;
  return why ? `${word}: ${why}` : word;
}

async function pair({ output, signal, withNode }: CommandContext, { allowMining = false }: PairFlags): Promise<void> {
  await withNode(NEEDS, async (node) => {
    const { code, expiresAt } = await node.fleet.offer({ mayControl: allowMining });
    output.document({ code, expiresAt });
    output.line(code);
    const remark = new Remark(output);
    remark.show('Enter it at the other node: quarry my-nodes join CODE, or Network › My nodes. Ctrl+C cancels.');
    try {
      const paired = await used(node, code, signal);
      output.document(paired);
      output.line(pairedText(paired));
    } catch (error) {
      await node.fleet.cancelOffer().catch(ignoring('it ends by itself after ten minutes'));
      throw error;
    } finally {
      remark.end();
    }
  });
}

/** Resolves with the node that has used the code. @throws DEADLINE when nobody does; CANCELLED when another code was made */
async function used(node: NodeClient, code: string, signal: AbortSignal): Promise<FleetNode> {
  for await (const { offer, nodes } of await node.fleet.watch(undefined, { signal })) {
    const paired = nodes.find(({ id }) => id === offer?.pairedWith);
    if (paired) return paired;
    if (offer?.code !== undefined && offer.code !== code) {
      throw new QuarryError({ code: 'CANCELLED', message: 'This node shows another code by now.' });
    }
    if (!offer) break;
  }
  signal.throwIfAborted();
  throw new QuarryError({ code: 'DEADLINE', message: 'Nobody has used the code, or it was cancelled.' });
}

async function join(
  { output, signal, withNode }: CommandContext,
  code: string,
  { allowMining = false }: PairFlags,
): Promise<void> {
  await withNode(NEEDS, async (node) => {
    const remark = new Remark(output);
    if (!codeFault(code)) remark.show('Looking for the node that shows this code …');
    try {
      const paired = await node.fleet.join({ code, mayControl: allowMining }, { signal });
      output.document(paired);
      output.line(pairedText(paired));
    } finally {
      remark.end();
    }
  });
}

function pairedText({ name, id }: FleetNode): string {
  return `Paired with ${name}, fingerprint ${fingerprint(id)}. The other node shows this one’s: compare them if in doubt.`;
}

async function order({ output, withNode }: CommandContext, name: string, want: 'start' | 'stop'): Promise<void> {
  await withNode(NEEDS, async (node) => {
    const other = await nodeNamed(node, name);
    await (want === 'start' ? node.fleet.startMining({ id: other.id }) : node.fleet.stopMining({ id: other.id }));
    output.document({ id: other.id, [want]: true });
    output.line(`${other.name} was told to ${want} mining.`);
  });
}

async function allowMining({ output, withNode }: CommandContext, name: string, mayControl: boolean): Promise<void> {
  await withNode(NEEDS, async (node) => {
    const other = await nodeNamed(node, name);
    await node.fleet.allow({ id: other.id, mayControl });
    output.document({ id: other.id, mayControl });
    output.line(`${other.name} may ${mayControl ? 'start and stop' : 'no longer start and stop'} mining here.`);
  });
}

async function remove({ output, withNode }: CommandContext, name: string): Promise<void> {
  await withNode(NEEDS, async (node) => {
    const other = await nodeNamed(node, name);
    await node.fleet.remove({ id: other.id });
    output.document({ removed: other.id });
    output.line(`${other.name} is no longer paired with this node.`);
  });
}

/** @throws BAD_REQUEST where none, or more than one, is called so */
async function nodeNamed(node: NodeClient, name: string): Promise<FleetNode> {
  const others = (await node.fleet.list()).nodes.filter(({ self }) => !self);
  const wanted = name.toLowerCase();
  const found = others.filter(
    (one) => one.name.toLowerCase() === wanted || one.id.startsWith(wanted.replaceAll(' ', '')),
  );
  const [only, another] = found;
  if (only && !another) return only;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: another ? `More than one paired node is called «${name}».` : `No paired node is called «${name}».`,
    hint: another
      ? 'Take the beginning of its fingerprint instead: quarry my-nodes.'
      : `Paired are: ${others.map((one) => one.name).join(', ') || 'none'}.`,
  });
}

import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { table } from '../terminal/output.ts';

interface AddFlags {
  url: string;
  model?: string;
  keyVariable?: string;
  hotkey?: string;
}

/** `quarry validator miner`: those at addresses of their own. */
export function registerMiner(validator: Command): void {
  const miner = validator
    .command('miner')
    .description('miners at addresses of their own, with an OpenAI-compatible API');
  miner
    .command('add')
    .argument('<name>', 'as results are to name it')
    .description('ask a miner, or change the one of this name')
    .requiredOption('--url <address>', 'http://host:8000/v1')
    .option('--model <name>', 'what is asked for there (default: what it lists first; of another Quarry: local)')
    .option(
      '--key-variable <name>',
      'environment variable that holds the key which it wants (default: none, or the one it has at this server)',
    )
    .option('--hotkey <address>', 'that stands for it on the chain (default: none, or the one it has)')
    .addHelpText('after', HELP)
    .action(runCommand(add));
  miner
    .command('hotkey')
    .argument('<name>', 'of a miner, or the id of a worker of the mesh')
    .argument('[address]', 'of the hotkey: 5…')
    .description('say which hotkey stands for a miner: weights for what it answers go there')
    .option('--none', 'none does any more')
    .action(runCommand(hotkey));
  miner
    .command('list')
    .description('those who are asked at addresses of their own, and hotkeys that stand for miners')
    .action(runCommand(list));
  miner
    .command('remove')
    .argument('<name>', 'of the miner')
    .description('ask a miner no more; its results stay')
    .action(runCommand(remove));
}

const HELP = `
They stand in the database of results: validators that share one ask the same. A key stands there as it is.`;

async function add({ output, withNode }: CommandContext, name: string, flags: AddFlags): Promise<void> {
  const { url, model = '', keyVariable, hotkey } = flags;
  const apiKey = keyVariable === undefined ? undefined : keyIn(keyVariable);
  await withNode({}, async (node) => {
    const more = { ...(apiKey !== undefined && { apiKey }), ...(hotkey !== undefined && { hotkey }) };
    await node.validator.addMiner({ name, url, model, ...more });
    output.line(`${name} is asked from now on, whenever the validator runs.`);
  });
}

function keyIn(variable: string): string {
  const key = process.env[variable];
  if (key) return key;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: `The variable ${variable} holds nothing.`,
    field: 'key-variable',
  });
}

async function hotkey(
  { output, withNode }: CommandContext,
  name: string,
  address: string | undefined,
  { none = false }: { none?: boolean },
): Promise<void> {
  if (none === (address !== undefined)) {
    const message = 'Say which hotkey stands for it, or --none.';
    throw new QuarryError({ code: 'BAD_REQUEST', message, field: 'address' });
  }
  await withNode({}, async (node) => {
    await node.validator.setHotkey({ name, hotkey: address ?? null });
    output.line(address === undefined ? `No hotkey stands for ${name}.` : `${address} stands for ${name}.`);
  });
}

async function list({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const [all, hotkeys] = await Promise.all([node.validator.miners(), node.validator.hotkeys()]);
    const workers = hotkeys.filter(({ miner }) => !miner.startsWith('endpoint/'));
    output.document({ miners: all, workers });
    if (all.length === 0) output.line('There are none: «quarry validator miner add NAME --url …» adds one.');
    const rows = all.map(({ name, url, model, hasKey, hotkey }) => [
      ...[name, url, model || '–', hasKey ? 'yes' : 'no', hotkey ?? '–'],
    ]);
    if (rows.length > 0) output.line(table(['MINER', 'ADDRESS', 'MODEL', 'KEY', 'HOTKEY'], rows));
    if (workers.length === 0) return;
    output.line(
      table(
        ['WORKER OF THE MESH', 'HOTKEY'],
        workers.map(({ miner, hotkey: of }) => [miner, of]),
      ),
    );
  });
}

async function remove({ output, withNode }: CommandContext, name: string): Promise<void> {
  await withNode({}, async (node) => {
    await node.validator.removeMiner({ name });
    output.line(`${name} is asked no more.`);
  });
}

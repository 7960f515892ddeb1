import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';

interface BaselineFlags {
  server?: string;
  wallet?: string;
  hotkey?: string;
  force?: boolean;
}

const HELP = `
Measure your own beside it:
quarry kernel measure kernel.wasm --beside baseline.wasm`;

/** `quarry rounds baseline`: what there is to beat, to measure one's own beside it. */
export function registerBaseline(rounds: Command): void {
  rounds
    .command('baseline')
    .argument('<file>', 'gets the module')
    .description('fetch what there is to beat in the open round')
    .option('--server <url>', 'of the competition (default: competitor.server)')
    .option('--wallet <name>', 'whose hotkey asks (default: competitor.wallet)')
    .option('--hotkey <name>', 'its hotkey (default: competitor.hotkey)')
    .option('--force', 'replace a file that is there')
    .addHelpText('after', HELP)
    .action(runCommand(baseline));
}

/** @throws BAD_REQUEST where it is not known yet, or the file is there already */
export async function baseline(
  { output, withNode, signal }: CommandContext,
  file: string,
  { server, wallet, hotkey, force = false }: BaselineFlags,
): Promise<void> {
  await withNode({}, async (node) => {
    const at = server === undefined ? {} : { server };
    const { round, baselines } = await node.competition.current(at, { signal });
    const kernel = baselines?.find(({ track }) => track === 'kernel');
    if (!kernel) throw wrong(`What there is to beat in round ${round} is known when the round before has ended.`);
    const { sha256, submission } = kernel;
    const who = { ...(wallet !== undefined && { wallet }), ...(hotkey !== undefined && { hotkey }) };
    const { content } = await node.competition.artefact({ ...at, ...who, sha256 }, { signal });
    await written(file, Buffer.from(content, 'base64'), force);
    output.document({ round, sha256, submission, file });
    output.line(`✓ ${file} has what there is to beat in round ${round}, SHA-256 ${sha256}.`);
  });
}

async function written(file: string, bytes: Buffer, force: boolean): Promise<void> {
  try {
    await writeFile(file, bytes, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw wrong(code === 'EEXIST' ? `${file} is there already: --force replaces it.` : message, error);
  }
}

const wrong = (message: string, cause?: unknown) => new QuarryError({ code: 'BAD_REQUEST', message }, { cause });

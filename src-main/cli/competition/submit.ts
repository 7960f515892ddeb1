import { basename } from 'node:path';
import type { Command } from 'commander';
import type { EntryDraft, OwnEntry } from '../../../src-preload/contract/competition.ts';
import {
  ENTRY_PIECE_BYTES,
  LEAST_AIM,
  MOST_AIM,
  MOST_ENTRY_BYTES,
} from '../../../src-preload/contract/competition-numbers.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { sha256 } from '../../base/sha256.ts';
import { artefactOf } from '../../subnets/quasar/gpu/artefact.ts';
import { integer } from '../terminal/arguments.ts';
import { askYes } from '../terminal/ask-yes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { givenFile } from '../terminal/given-file.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { timeText } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { entriesTable, entryRemarks, foundEntry } from './own-entries.ts';

interface SubmitFlags {
  repo?: string;
  commit?: string;
  tokens: number;
  server?: string;
  wallet?: string;
  hotkey?: string;
  yes?: boolean;
}

const HELP = `
First a commitment is sent, a fingerprint from which nobody can read the code; some 100 blocks later (about 20 minutes)
the code itself. A running node does that by itself («quarry start»); else it is «quarry reveal». What is not revealed
before its round ends does not count. When the round has ended, everybody can fetch the code.
What is slow or wrong has no place: «quarry kernel measure FILE» says so before.

Before anything is sent, it is said what will be published, and in whose name; --yes says yes to that.`;

/** `quarry submit`: what this computer submits to competitions. */
export function registerSubmit(program: Command): void {
  const submit = program
    .command('submit [file]')
    .summary('submit to a competition')
    .description(
      'submit a file to a competition, by commit and reveal, or a commit of a repository; without either: what was submitted',
    )
    .option('--repo <url>', 'in the place of a file: a repository for the track of graphics cards, https://…')
    .option('--commit <sha>', 'which of its commits: 40 hexadecimal digits')
    .option('--tokens <n>', 'what it aims at, and is measured at', integer(LEAST_AIM, MOST_AIM), LEAST_AIM)
    .option('--server <url>', 'of the competition (default: competitor.server)')
    .option('--wallet <name>', 'whose hotkey submits (default: competitor.wallet)')
    .option('--hotkey <name>', 'its hotkey (default: competitor.hotkey)')
    .option('--yes', 'say yes to what is published')
    .addHelpText('after', HELP)
    .action(runCommand(start));
  submit.command('list').description('own submissions, the newest first').action(runCommand(list));
  submit
    .command('send')
    .argument('<id>', 'of «quarry submit list», or how it begins')
    .description('send what was prepared, or go on with it')
    .action(runCommand(send));
  submit
    .command('forget')
    .argument('<id>', 'of «quarry submit list», or how it begins')
    .description('forget one that is over, or was never sent')
    .action(runCommand(forget));
}

export async function start(context: CommandContext, file: string | undefined, flags: SubmitFlags): Promise<void> {
  const chosen = await chosenBy(file, flags);
  if (!chosen) return await list(context);
  const { output, withNode, signal } = context;
  const { bytes, name, track } = chosen;
  await withNode({}, async (node, runs) => {
    const hash = await brought(node, bytes, new Remark(output), signal);
    const { tokens, server, wallet, hotkey } = flags;
    const draft = await node.competition.prepare(
      {
        ...{ sha256: hash, name, track, tokens },
        ...(server !== undefined && { server }),
        ...(wallet !== undefined && { wallet }),
        ...(hotkey !== undefined && { hotkey }),
      },
      { signal },
    );
    const text = draftText(draft);
    if (output.json) output.note(text);
    else output.line(text);
    if (!(await confirmedElseForgotten(node, draft, flags, output.json))) {
      throw new QuarryError({ code: 'CANCELLED', message: 'Nothing has left this computer.' });
    }
    tell(context, await node.competition.submit({ id: draft.entry.id }, { signal }), runs);
  });
}

/** @returns whether somebody said yes; else nothing of it stays */
async function confirmedElseForgotten(node: NodeClient, { entry }: EntryDraft, { yes }: SubmitFlags, json: boolean) {
  let isYes = yes ?? false;
  try {
    isYes ||= await askYes('Submit it?', 'Nothing was sent', json);
  } finally {
    if (!isYes) await node.competition.forget({ id: entry.id });
  }
  return isYes;
}

/** What is to be submitted; undefined where nothing is. @throws BAD_REQUEST */
async function chosenBy(file: string | undefined, { repo, commit }: SubmitFlags) {
  if (repo === undefined && commit === undefined)
    return file === undefined
      ? undefined
      : { bytes: await fileOf(file), name: basename(file), track: 'kernel' as const };
  if (file !== undefined || repo === undefined || commit === undefined) {
    const message = 'A repository takes --repo and --commit, and no file.';
    throw new QuarryError({ code: 'BAD_REQUEST', message, field: repo === undefined ? 'repo' : 'commit' });
  }
  const bytes = artefactOf({ url: repo, commit });
  if (!bytes) throw new QuarryError({ code: 'BAD_REQUEST', message: say('gpu.artefact'), field: 'repo' });
  return { bytes, name: `${basename(repo)} ${commit.slice(0, 8)}`, track: 'gpu' as const };
}

/** @throws BAD_REQUEST for a file that cannot be read, is empty or too large */
async function fileOf(file: string): Promise<Buffer> {
  const tooLarge = `«${file}» is larger than the ${sizeText(MOST_ENTRY_BYTES)} that may be submitted.`;
  const bytes = await givenFile(file, MOST_ENTRY_BYTES, tooLarge);
  if (bytes.length > 0) return bytes;
  throw new QuarryError({ code: 'BAD_REQUEST', message: `«${file}» is empty.`, field: 'file' });
}

/** Brings the file to the node, which may be another process. @returns its SHA-256 */
async function brought(node: NodeClient, file: Buffer, remark: Remark, signal: AbortSignal): Promise<string> {
  const whole = { sha256: sha256(file).toString('hex'), bytes: file.length };
  try {
    for (let from = 0; from < file.length; ) {
      remark.showShare('Bringing the file to the node', from / file.length);
      const piece = file.subarray(from, from + ENTRY_PIECE_BYTES).toString('base64');
      from = (await node.competition.bring({ ...whole, from, piece }, { signal })).next;
    }
  } finally {
    remark.end();
  }
  return whole.sha256;
}

function draftText({ entry, published, warnings }: EntryDraft): string {
  const { name, bytes, sha256: hash, tokens, round, url } = entry;
  return [
    'This would be submitted:',
    `  the file     ${foreignLine(name)}, ${sizeText(bytes)}, SHA-256 ${hash}`,
    `  aims at      ${tokens.toLocaleString('en')} tokens`,
    `  in           round ${round} at ${url}`,
    'What is published:',
    ...published.map(({ text }) => `  - ${foreignLine(text)}`),
    ...warnings.map(({ text }) => `! ${foreignLine(text)}`),
  ].join('\n');
}

function tell({ output }: CommandContext, entry: OwnEntry, runs: boolean): void {
  output.document(entry);
  const { id, receipt, reveal } = entry;
  output.line(`✓ The competition has the commitment, as number ${receipt?.number}. It is kept as ${id.slice(0, 8)}.`);
  if (!reveal) return;
  const when = `from block ${reveal.block} on, in ${reveal.blocksLeft} blocks, about ${timeText(reveal.at)}`;
  output.line(`It can be revealed ${when}.`);
  output.note(
    runs
      ? 'The running node reveals it by itself.'
      : `No node runs: start one («quarry start»), or type: quarry reveal ${id.slice(0, 8)}`,
  );
}

/** Where no node runs, nobody has asked the servers since the last command. */
export async function list({ output, withNode, signal }: CommandContext): Promise<void> {
  await withNode({}, async (node, runs) => {
    const { entries } = runs ? await node.competition.state() : await node.competition.look(undefined, { signal });
    output.document(entries);
    if (entries.length === 0) return output.line('Nothing was submitted yet: quarry submit FILE');
    output.line(entriesTable(entries));
    for (const remark of entries.flatMap(entryRemarks)) output.note(remark);
  });
}

export async function send(context: CommandContext, beginning: string): Promise<void> {
  await context.withNode({}, async (node, runs) => {
    const { id } = await foundEntry(node, beginning);
    tell(context, await node.competition.submit({ id }, { signal: context.signal }), runs);
  });
}

export async function forget({ output, withNode }: CommandContext, beginning: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id, name } = await foundEntry(node, beginning);
    await node.competition.forget({ id });
    output.document({ id });
    output.line(`«${foreignLine(name)}» (${id.slice(0, 8)}) is forgotten here, with its file.`);
  });
}

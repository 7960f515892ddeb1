import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import {
  DATASET_KINDS,
  type DatasetImportEvent,
  type DatasetImportRequest,
  type DatasetView,
} from '../../../src-preload/contract/datasets.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted, dayText, type Output, table } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';

interface ImportFlags {
  kind: (typeof DATASET_KINDS)[number];
  file?: string;
  from?: string;
  part?: string;
  split: string;
  server?: string;
  rows?: number;
  skipBad?: boolean;
  licence?: string;
}

/** `quarry validator dataset`: what challenges are made of beside what Quarry makes itself. */
export function registerDataset(validator: Command): void {
  const dataset = validator.command('dataset').description('data sets that challenges are made of');
  dataset
    .command('import')
    .argument('<name>', 'what to call it: small letters, digits, dots, dashes')
    .description('take a data set in; it replaces the one of that name')
    .addOption(new Option('--kind <kind>', 'what its rows are').choices(DATASET_KINDS).makeOptionMandatory())
    .option('--file <path>', 'a JSONL file, perhaps packed (.gz)')
    .option('--from <owner/name>', 'a data set at Hugging Face, or at another server')
    .option('--part <config>', 'which config of it', 'default')
    .option('--split <name>', 'which split of it', 'train')
    .option('--server <url>', 'the server that has it (default: the setting validator.datasetServer)')
    .option('--rows <n>', 'only the first rows (default: all)', integer(1))
    .option('--skip-bad', 'leave out rows with a fault (default: import nothing then)')
    .option('--licence <text>', 'its licence (default: what its rows say)')
    .action(runCommand(importDataset));
  dataset.command('list', { isDefault: true }).description('the data sets there are').action(runCommand(list));
  dataset
    .command('remove')
    .argument('<name>', 'of a data set')
    .description('forget a data set and its rows; results stay')
    .action(runCommand(remove));
}

async function importDataset(
  { output, signal, withNode }: CommandContext,
  name: string,
  { kind, rows, skipBad = false, licence, ...flags }: ImportFlags,
): Promise<void> {
  const wanted = { name, kind, from: sourceOf(flags), rows, skipBad, licence };
  await withNode({}, async (node) => {
    const done = await shown(await node.validator.importDataset(wanted, { signal }), output);
    const { dataset, skipped, faults } = done;
    output.document({ ...dataset, skipped, faults: faults.map(({ text }) => text) });
    for (const { text } of faults) output.note(text);
    if (skipped > faults.length) output.note(`… and ${counted(skipped - faults.length, 'row')} more`);
    const left = skipped > 0 ? `; ${counted(skipped, 'row')} left out` : '';
    output.line(`Imported ${dataset.name}: ${counted(dataset.rows, 'row')}, ${sizeText(dataset.bytes)}${left}.`);
    const ask = `quarry validator local --environment ${dataset.kind}:${dataset.name}`;
    output.note(styleText('dim', `to ask this machine’s model out of it: ${ask}`));
  });
}

/** A running node has a working folder of its own. */
function sourceOf({ file, from, part = 'default', split, server: endpoint }: Omit<ImportFlags, 'kind'>) {
  if ((file === undefined) === (from === undefined)) {
    const hint = 'quarry validator dataset import mine --kind elr --file rows.jsonl';
    throw new QuarryError({ code: 'BAD_REQUEST', message: 'Either --file or --from is wanted.', hint, field: 'from' });
  }
  if (file !== undefined) return { type: 'file' as const, path: resolve(file) };
  return { type: 'server' as const, dataset: from ?? '', config: part, split, endpoint } satisfies Source;
}
type Source = DatasetImportRequest['from'];

async function shown(events: AsyncIterable<DatasetImportEvent>, output: Output) {
  const remark = new Remark(output);
  try {
    for await (const event of events) {
      if (event.type === 'done') return event;
      remark.show(progressText(event));
    }
  } finally {
    remark.end();
  }
  throw new QuarryError({ code: 'INTERNAL', message: 'The import ended without a data set.' });
}

/** Where each change is a line of its own, only every tenth part is told. */
function progressText({ rows, share }: Extract<DatasetImportEvent, { type: 'progress' }>): string {
  if (!process.stderr.isTTY) return `importing: ${10 * Math.floor(10 * (share ?? 0))} %`;
  const part = share === null ? '' : ` (${Math.floor(100 * share)} %)`;
  return `importing: ${counted(rows, 'row')}${part}`;
}

const NONE = 'There are no data sets yet: «quarry validator dataset import» takes one in.';

async function list({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.validator.datasets();
    output.document(all);
    if (all.length === 0) return output.line(NONE);
    output.line(table(['ASKED AS', 'ROWS', 'SIZE', 'LICENCE', 'IMPORTED', 'SHA-256', 'FROM'], all.map(row)));
  });
}

function row({ kind, name, rows, bytes, licence, importedAt, sha256, source }: DatasetView) {
  return [
    ...[`${kind}:${name}`, rows, sizeText(bytes), licence || '–'],
    ...[dayText(importedAt), sha256.slice(0, 12), source],
  ];
}

async function remove({ output, withNode }: CommandContext, name: string): Promise<void> {
  await withNode({}, async (node) => {
    await node.validator.removeDataset({ name });
    output.document({ removed: name });
    output.line(
      `${name} is gone. What was asked out of it can be replayed only after the same rows are imported again.`,
    );
  });
}

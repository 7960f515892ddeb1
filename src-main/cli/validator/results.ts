import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { ExportedResult, VerifyEvent } from '../../../src-preload/contract/validator-results.ts';
import { terminalJson, withoutControls } from '../../base/foreign-text.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted, durationText, momentText, type Output, table } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { writeOut } from '../terminal/write-pieces.ts';
import { NOTHING } from './weights.ts';

/** `quarry validator results`, `replay`, `verify` and `export`: what was kept. */
export function registerResults(validator: Command): void {
  validator
    .command('results')
    .description('the last results')
    .option('--limit <n>', 'how many', integer(1, 500), 50)
    .action(runCommand(results));
  validator
    .command('replay')
    .argument('<number>', 'of a result', integer(1))
    .description('pose the challenge of a result again, and look whether it is as it was signed')
    .action(runCommand(replay));
  validator
    .command('verify')
    .description('look whether all results are as they were signed, and by whom')
    .action(runCommand(verify));
  validator
    .command('export')
    .description('all results on standard output, newest first')
    .addOption(new Option('--format <name>', 'as').choices(['jsonl', 'csv']).default('jsonl'))
    .action(runCommand(exportAll));
}

async function results({ output, withNode }: CommandContext, { limit }: { limit: number }): Promise<void> {
  await withNode({}, async (node) => {
    const { results: all } = await node.validator.results({ limit });
    output.document(all);
    if (all.length === 0) return output.line(NOTHING);
    const rows = all.map(({ id, at, environment, miner, score, success, ms }) => [
      ...[id, momentText(at), environment, miner],
      ...[success ? score : 'no answer', success ? durationText(ms) : '–'],
    ]);
    output.line(table(['#', 'WHEN', 'TASK', 'MINER', 'SCORE', 'TIME'], rows));
  });
}

async function replay({ output, withNode }: CommandContext, id: number): Promise<void> {
  await withNode({}, async (node) => {
    const told = await node.validator.replay({ id });
    output.document(told);
    const { prompt, answer, firstByteMs, reason, text, result } = told;
    if (prompt !== null) output.line(`${styleText('bold', 'asked')}\n${prompt}\n`);
    output.line(styleText('bold', `answered by ${result.miner}`));
    output.write(`${answer ?? '–'}\n\n`);
    output.line(`${styleText('bold', `score ${result.score}`)}: ${reason?.text ?? '–'}`);
    if (firstByteMs !== null)
      output.line(`first byte after ${durationText(firstByteMs)}, last after ${durationText(result.ms)}`);
    output.line(text);
    if (told.verdict !== 'same') process.exitCode = 1;
  });
}

async function verify({ output, signal, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const { type: _, ...told } = await verified(await node.validator.verify(undefined, { signal }), output);
    output.document(told);
    if (told.checked === 0) return output.line(NOTHING);
    const rows = told.signers.map(({ signer, isOwn, results }) => [signer, results, isOwn ? 'yes' : 'no']);
    if (rows.length > 0) output.line(table(['SIGNED BY', 'RESULTS', 'OWN'], rows));
    const others = told.signerCount - rows.length;
    if (others > 0) output.note(`… and ${counted(others, 'signer')} more`);
    if (told.forgedCount === 0) return output.line(`${counted(told.checked, 'result')}, all as they were signed.`);
    const more = told.forgedCount - told.forged.length;
    const numbers = `${told.forged.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    output.line(`${told.forgedCount} of ${counted(told.checked, 'result')} not as signed: ${numbers}`);
    process.exitCode = 1;
  });
}

async function verified(events: AsyncIterable<VerifyEvent>, output: Output) {
  const remark = new Remark(output);
  try {
    for await (const event of events) {
      if (event.type === 'done') return event;
      remark.show(`looked at ${counted(event.checked, 'result')}`);
    }
  } finally {
    remark.end();
  }
  throw new QuarryError({ code: 'INTERNAL', message: 'The look at the results ended early.' });
}

const COLUMNS = [
  ...(['id', 'createdAt', 'environment', 'environmentVersion', 'challengeId', 'miner', 'model', 'revision'] as const),
  ...(['uid', 'block', 'level', 'seed', 'score', 'success', 'error', 'attempts', 'latencyMs'] as const),
  ...(['signer', 'signature', 'payloadSha256', 'payload'] as const),
] as const;

async function exportAll(
  { output, signal, withNode }: CommandContext,
  { format }: { format: 'jsonl' | 'csv' },
): Promise<void> {
  const { head, line } = format === 'csv' ? await csv() : { head: '', line: jsonLine };
  const remark = new Remark(output);
  let count = 0;
  try {
    await withNode({}, async (node) => {
      await writeOut(head);
      for await (const result of await node.validator.export(undefined, { signal })) {
        await writeOut(line(result));
        count++;
        if (!process.stdout.isTTY && count % REMARK_EVERY === 0) remark.show(`exported ${counted(count, 'result')}`);
      }
    });
  } finally {
    remark.end();
  }
}

/** Results between two words on how far an export into a file is. */
const REMARK_EVERY = 10_000;

/** Answers are strangers’. Files and pipes get them as they are; on a terminal nothing in them steers it. */
const jsonLine = (result: ExportedResult) =>
  `${process.stdout.isTTY ? terminalJson(result) : JSON.stringify(result)}\n`;

/** What begins as a formula would has a quote before it: spreadsheets run those, and answers are strangers’. */
async function csv(): Promise<{ head: string; line: (result: ExportedResult) => string }> {
  const { stringify } = await import('csv-stringify/sync');
  const options = { escape_formulas: true, record_delimiter: '' };
  const line = (result: ExportedResult) => {
    const text = stringify([COLUMNS.map((column) => String(result[column] ?? ''))], options);
    return `${process.stdout.isTTY ? withoutControls(text) : text}\r\n`;
  };
  return { head: `${COLUMNS.join(',')}\r\n`, line };
}

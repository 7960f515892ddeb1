import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import {
  type AuditCalibrationView,
  auditReportSchema,
  type WorkerAuditView,
} from '../../src-preload/contract/audits.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { hexPattern } from '../../src-preload/contract/limits.ts';
import { parsedJson } from '../base/json-text.ts';
import { openRegular, readAtMost } from '../base/regular-file.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { table, timeText } from './terminal/output.ts';
import { Remark } from './terminal/progress.ts';
import { checkPlace, makeFile } from './terminal/take-file.ts';

/** Of a report: of the answers that are kept of a worker, some hundred bytes a token. */
const MOST_REPORT = 64 << 20;

const HELP = `
A node that has loaded the very model that a worker declares reads some of its answers again. Three things are measured,
each as a mean over tokens: how far its ten likeliest tokens are from this node's (TOP), how far the log-probability of
what it said is (CHOSEN), and how many tokens this model would not have chosen with the same seed (OTHERS). Above what
honest workers come to («quarry calibrate audit»), this node does not ask the worker for thirty days.`;

/** `quarry audits`: whether workers compute with the model that they declare. */
export function registerAudits(program: Command): void {
  const audits = program
    .command('audits')
    .description('whether workers of the mesh compute with the model that they declare')
    .addHelpText('after', HELP)
    .action(runCommand(list));
  audits
    .command('report')
    .argument('<worker>', 'id of a worker that was found out', hex)
    .argument('<model>', 'SHA-256 of the file that it declares', hex)
    .argument('<file>', 'to be written')
    .option('--force', 'replace a file that is there')
    .description('write down what a worker was found out by, for others to repeat; your questions to it are in it')
    .action(runCommand(report));
  audits
    .command('repeat')
    .argument('<file>', 'a report')
    .description('hold what a report says against the model here')
    .action(runCommand(repeat));
}

/** `quarry calibrate audit`: what honest answers look like here. */
export function registerCalibrate(program: Command): void {
  const calibrate = program.command('calibrate').description('measure what this computer goes by');
  calibrate
    .command('audit')
    .description('see how far honest answers of the loaded model are from how it reads them again: audits go by that')
    .action(runCommand(calibrateAudit));
}

function hex(text: string): string {
  if (!hexPattern(32).test(text)) throw new InvalidArgumentError('64 hexadecimal digits are wanted.');
  return text;
}

async function list({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const [audits, calibrations] = [await node.audits.list({}), await node.audits.calibrations()];
    output.document({ audits, calibrations });
    if (audits.length === 0) output.line('No answer was audited yet.');
    else
      output.line(table(['WORKER', 'MODEL', 'ANSWERS', 'TOKENS', 'TOP', 'CHOSEN', 'OTHERS', ''], audits.map(auditRow)));
    const known = calibrations.map(({ name, tokens, at }) => `${name} (${tokens} tokens, ${timeText(at)})`);
    output.note(known.length > 0 ? `Calibrated: ${known.join(', ')}` : 'Nothing is calibrated: quarry calibrate audit');
  });
}

const auditRow = ({ worker, model, answers, tokens, top, chosen, mismatches, finding }: WorkerAuditView) => [
  ...[worker, model.slice(0, 12), answers, tokens],
  ...[top, chosen, mismatches].map((mean) => mean.toFixed(3)),
  finding ? `found out after ${finding.tokens} tokens` : '',
];

async function report(
  { output, withNode }: CommandContext,
  worker: string,
  model: string,
  file: string,
  { force = false }: { force?: boolean },
): Promise<void> {
  const to = { file: resolve(file), force };
  await checkPlace(to);
  await withNode({}, async (node) => {
    const found = await node.audits.report({ worker, model });
    await makeFile(to, (temporary) => writeFile(temporary, JSON.stringify(found), { flag: 'wx', mode: 0o600 }));
    output.document({ file: to.file, answers: found.answers.length });
    output.line(`${file}: ${found.answers.length} answers. What this node asked is in them.`);
  });
}

async function repeat({ output, withNode, signal }: CommandContext, file: string): Promise<void> {
  const read = auditReportSchema.safeParse(await readJson(file));
  if (!read.success) throw notAReport(file);
  await withNode({ engine: true }, async (node) => {
    const found = await node.audits.repeat({ report: read.data }, { signal });
    output.document(found);
    const { answers, tokens, top, chosen, mismatches, finding } = found;
    const figures = [top, chosen, mismatches].map((mean) => mean.toFixed(3));
    output.line(table(['ANSWERS', 'TOKENS', 'TOP', 'CHOSEN', 'OTHERS'], [[answers, tokens, ...figures]]));
    output.line(
      finding
        ? `Found out here, too: ${finding.measure} ${finding.found.toFixed(3)}, honest below ${finding.threshold.toFixed(3)}.`
        : 'Nothing is found by this model here.',
    );
  });
}

async function readJson(file: string): Promise<unknown> {
  try {
    await using opened = await openRegular(file);
    return parsedJson((opened && (await readAtMost(opened, MOST_REPORT))) ?? '');
  } catch (cause) {
    throw notAReport(file, cause);
  }
}

const notAReport = (file: string, cause?: unknown) =>
  new QuarryError({ code: 'BAD_REQUEST', message: `${file} is no report of «quarry audits report».` }, { cause });

async function calibrateAudit({ output, withNode, signal }: CommandContext): Promise<void> {
  await withNode({ engine: true }, async (node) => {
    const remark = new Remark(output);
    try {
      for await (const event of await node.audits.calibrate(undefined, { signal })) {
        if (event.type === 'progress') remark.show(`${event.done} of ${event.of} honest answers`);
        else {
          remark.end();
          calibrated(event.calibration, output);
        }
      }
    } finally {
      remark.end();
    }
  });
}

function calibrated(calibration: AuditCalibrationView, output: CommandContext['output']): void {
  const { name, answers, tokens, thresholds } = calibration;
  output.document(calibration);
  output.line(`${name}: ${answers} honest answers, ${tokens} tokens. Above these means somebody is found out:`);
  const rows = thresholds.map((each) => [
    each.tokens,
    ...[each.top, each.chosen, each.mismatches].map((mean) => mean.toFixed(3)),
  ]);
  output.line(table(['AFTER TOKENS', 'TOP', 'CHOSEN', 'OTHERS'], rows));
}

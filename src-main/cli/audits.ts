import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type {
  AuditCalibrationView,
  CalibrationRun,
  RepeatedAudit,
  WorkerAuditView,
} from '../../src-preload/contract/audits.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { hexPattern, MAX_FILE_PIECE_CHARS, MAX_REPORT_CHARS } from '../../src-preload/contract/limits.ts';
import { ignoring } from '../base/swallowed.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { givenFile } from './terminal/given-file.ts';
import { interrupted } from './terminal/interruption.ts';
import type { NodeClient } from './terminal/node-client.ts';
import { type Output, table, timeText } from './terminal/output.ts';
import { Remark } from './terminal/progress.ts';
import { checkPlace, makeFile } from './terminal/take-file.ts';

const HELP = `
A node that has loaded the very model that a worker declares reads some of its answers again. Three things are measured,
each as a mean over tokens: how far its ten likeliest tokens are from this node's (LIKELIEST), how far the log-probability
of what it said is (SAID), and how many tokens this model would have chosen otherwise with the same seed (OTHERWISE). Above
what honest workers come to («quarry calibrate audit»), this node does not ask the worker for thirty days.`;

const CALIBRATE_HELP = `
The model answers 48 questions and 24 probes, and reads its answers again: some minutes for a small model on a processor.
Without it, answers of workers with this file are counted, and nobody is found out. Ctrl+C ends it; nothing of it is kept then.`;

/** As the app calls what is measured. */
const MEANS = ['LIKELIEST', 'SAID', 'OTHERWISE'];
const MEASURES = { top: 'likeliest', chosen: 'said', mismatches: 'otherwise' };

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
export function registerCalibrateAudit(calibrate: Command): void {
  calibrate
    .command('audit')
    .description('see how far honest answers of the loaded model are from how it reads them again: audits go by that')
    .addHelpText('after', CALIBRATE_HELP)
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
    else output.line(table(['WORKER', 'MODEL', 'ANSWERS', 'TOKENS', ...MEANS, ''], audits.map(auditRow)));
    const known = calibrations.map(calibrationText);
    output.note(known.length > 0 ? `Calibrated: ${known.join(', ')}` : 'Nothing is calibrated: quarry calibrate audit');
  });
}

const calibrationText = ({ name, tokens, at, device, otherDevice }: AuditCalibrationView) =>
  otherDevice
    ? `${name} (on ${device}, and it runs on ${otherDevice} now: nobody is found out until «quarry calibrate audit»)`
    : `${name} (${tokens} tokens, ${timeText(at)})`;

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
    const pieces: string[] = [];
    for await (const { text } of await node.audits.report({ worker, model })) pieces.push(text);
    await makeFile(to, (temporary) => writeFile(temporary, pieces.join(''), { flag: 'wx', mode: 0o600 }));
    const answers = pieces.length - 2; // between the beginning and the end
    output.document({ file: to.file, answers });
    output.line(`${file}: ${answers} answers. What this node asked is in them.`);
  });
}

async function repeat({ output, withNode, signal }: CommandContext, file: string): Promise<void> {
  const text = await readText(file);
  await withNode({ engine: true }, async (node) => {
    await bring(node, text);
    try {
      tellRepeated(await repeated(node, output, signal), output);
    } finally {
      await node.audits.discard();
    }
  });
}

async function readText(file: string): Promise<string> {
  const tooLarge = `«${file}» is no report of «quarry audits report»: it is larger than any of them.`;
  return (await givenFile(file, MAX_REPORT_CHARS, tooLarge)).toString('utf8');
}

async function bring(node: NodeClient, text: string): Promise<void> {
  for (let at = 0; at === 0 || at < text.length; at += MAX_FILE_PIECE_CHARS)
    await node.audits.bring({ at, text: text.slice(at, at + MAX_FILE_PIECE_CHARS) });
}

async function repeated(node: NodeClient, output: Output, signal: AbortSignal): Promise<RepeatedAudit> {
  const remark = new Remark(output);
  try {
    for await (const event of await node.audits.repeat(undefined, { signal })) {
      if (event.type === 'done') return event.result;
      remark.show(`${event.done} of ${event.of} answers`);
    }
    throw interrupted();
  } finally {
    remark.end();
  }
}

function tellRepeated(result: RepeatedAudit, output: Output): void {
  output.document(result);
  const { answers, tokens, top, chosen, mismatches, finding } = result;
  const figures = [top, chosen, mismatches].map((mean) => mean.toFixed(3));
  output.line(table(['ANSWERS', 'TOKENS', ...MEANS], [[answers, tokens, ...figures]]));
  output.line(
    finding
      ? `Found out here, too: ${MEASURES[finding.measure]} ${finding.found.toFixed(3)}, honest below ${finding.threshold.toFixed(3)}.`
      : 'Nothing is found by this model here.',
  );
}

async function calibrateAudit({ output, withNode, signal }: CommandContext): Promise<void> {
  await withNode({ engine: true }, async (node) => {
    await node.audits.calibrate();
    const ended = await followed(node, output, signal).catch(async (error: unknown) => {
      if (signal.aborted) await node.audits.cancelCalibration().catch(ignoring('the node that did it is gone'));
      throw error;
    });
    const calibration = (await node.audits.calibrations()).find(({ model }) => model === ended.model);
    if (calibration) calibrated(calibration, output);
  });
}

/** @returns how it ended @throws why it failed; CANCELLED where somebody has cancelled it */
async function followed(node: NodeClient, output: Output, signal: AbortSignal): Promise<CalibrationRun> {
  const remark = new Remark(output);
  try {
    for await (const { calibration: run } of await node.audits.watch(undefined, { signal })) {
      if (run?.state === 'loading') remark.show('The model is being loaded …');
      if (run?.state === 'running') remark.show(`${run.done} of ${run.of} honest answers`);
      if (run?.state === 'done') return run;
      if (run?.error) throw new QuarryError(run.error);
      if (run?.state === 'cancelled') throw interrupted();
    }
    throw interrupted();
  } finally {
    remark.end();
  }
}

function calibrated(calibration: AuditCalibrationView, output: Output): void {
  const { name, answers, tokens, thresholds } = calibration;
  output.document(calibration);
  output.line(`${name}: ${answers} honest answers, ${tokens} tokens. Above these means somebody is found out:`);
  const rows = thresholds.map((each) => [
    each.tokens,
    ...[each.top, each.chosen, each.mismatches].map((mean) => mean.toFixed(3)),
  ]);
  output.line(table(['AFTER TOKENS', ...MEANS], rows));
}

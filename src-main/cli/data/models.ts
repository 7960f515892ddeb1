import type { Command } from 'commander';
import type { ModelThresholds } from '../../../src-preload/contract/data-calibration.ts';
import type { ClipModelStep, ClipModelView } from '../../../src-preload/contract/data-models.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { downloadText } from '../terminal/follow-download.ts';
import { counted, dayText, table } from '../terminal/output.ts';
import { Progress } from '../terminal/progress.ts';

/** `quarry data models`, `models fetch` and `models remove`. */
export function registerClipModels(data: Command): void {
  const models = data.command('models').description('models that make numbers and words of clips, each optional');
  models
    .command('list', { isDefault: true })
    .description('those that Quarry knows, with their licences, and which are here')
    .action(runCommand(list));
  models
    .command('fetch')
    .argument('<name>', 'of «quarry data models»')
    .description('fetch one, or go on where that stopped; ^C stops it, and what is here stays')
    .action(runCommand(fetchOne));
  models
    .command('remove')
    .argument('<name>', 'of «quarry data models»')
    .description('delete its files')
    .action(runCommand(remove));
}

async function list({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const [models, thresholds] = await Promise.all([node.data.models(), node.data.thresholds()]);
    output.document(models.map((model) => ({ ...model, ...thresholds.find(({ name }) => name === model.name) })));
    output.line(table(['', 'MODEL', 'FOR', 'SIZE', 'LICENCE', ''], models.map(rowOf)));
    for (const known of thresholds) output.note(thresholdsText(known));
    if (models.some(({ isHere }) => !isHere)) output.note('Fetch one: quarry data models fetch NAME');
  });
}

const rowOf = ({ name, kind, isHere, isChosen, roughBytes, licence, description }: ClipModelView) => [
  ...[isHere ? '✓' : '', name, kind, `about ${sizeText(roughBytes)}`, licence],
  isChosen ? description : `Not in use: data.models.${kind} names another one.`,
];

function thresholdsText({ name, thresholds, measured }: ModelThresholds): string {
  if (!thresholds) return `${name}: nobody has measured from where on clips are alike to it: quarry calibrate clips`;
  const by = measured ? ` (measured with ${counted(measured.by, 'clip')}, ${dayText(measured.at)})` : '';
  return `${name}: two clips are the same from a cosine of ${thresholds.same.toFixed(3)} on${by}`;
}

async function fetchOne({ output, withNode, signal }: CommandContext, name: string): Promise<void> {
  await withNode({}, async (node) => {
    const progress = new Progress(name, output);
    try {
      for await (const step of await node.data.fetchModel({ name }, { signal })) progress.show(shown(step));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      progress.end();
    }
    if (signal.aborted) return stopped(name, output);
    const model = (await node.data.models()).find((one) => one.name === name);
    output.document(model);
    output.line(`${name} is here.`);
    if (model && !model.isChosen)
      output.note(`It is not in use yet: quarry settings set data.models.${model.kind} ${name}`);
  });
}

/** Of all its files: how large they are together is known roughly. */
function shown({ file, files, received, roughBytes, download }: ClipModelStep) {
  const { bytesPerSecond, state } = download;
  const which = files > 1 ? `file ${file} of ${files}` : undefined;
  const how = state === 'downloading' ? download.problem?.message : downloadText(download);
  const total = Math.max(received, roughBytes);
  const secondsLeft = bytesPerSecond > 0 ? (total - received) / bytesPerSecond : null;
  return { done: received, total, bytesPerSecond, secondsLeft, note: [which, how].filter(Boolean).join(', ') };
}

function stopped(name: string, output: CommandContext['output']): void {
  output.note(`Stopped; nothing is lost. Go on with: quarry data models fetch ${name}`);
  process.exitCode = 130;
}

async function remove({ output, withNode }: CommandContext, name: string): Promise<void> {
  await withNode({}, async (node) => {
    await node.data.removeModel({ name });
    output.document({ name });
    output.line(`${name} is no longer here.`);
  });
}

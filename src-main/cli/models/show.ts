import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { ModelDetails, ModelFit } from '../../../src-preload/contract/models.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted, dayText, type Output } from '../terminal/output.ts';
import { showRepository } from './hub.ts';

/** `quarry models show`: all that is known of one model. */
export function registerModelShow(models: Command): void {
  models
    .command('show')
    .argument('<name>', 'a model of this machine or of the catalogue, or OWNER/NAME at Hugging Face')
    .description('everything about a model: file, size, licence, how it would run here, where it came from')
    .action(runCommand(show));
}

async function show(context: CommandContext, name: string): Promise<void> {
  if (name.includes('/')) return await showRepository(context, name);
  const { output, withNode } = context;
  await withNode({}, async (node) => {
    const model = await node.models.show({ name });
    output.document(model);
    tell(model, output);
  });
}

function tell(model: ModelDetails, output: Output): void {
  output.line(styleText('bold', model.title ? `${model.title} (${model.name})` : model.name));
  if (model.description) output.line(model.description);
  for (const [name, text] of detailRows(model)) output.line(`  ${styleText('dim', name.padEnd(13))} ${text}`);
  if (!model.file) output.line(`\nDownload it: quarry models pull ${model.name}`);
}

/** What there is to say, by its heading; what is not known is left out. */
export function detailRows({ file, bytes, facts, licence, fit, url, sha256 }: ModelDetails): [string, string][] {
  const rows: [string, string | undefined][] = [
    ['file', file ? file.path : 'not on this machine'],
    ['size', bytes === null ? undefined : sizeText(bytes)],
    ['parameters', facts ? parametersText(facts.parameters) : undefined],
    ['quantisation', facts?.quantisation],
    ['architecture', facts?.architecture && `${facts.architecture}, ${counted(facts.layers ?? 0, 'layer')}`],
    ['context', facts ? `${counted(fit?.longest ?? facts.contextLength, 'token')} at most` : undefined],
    ['template', facts ? templateText(facts) : undefined],
    ['licence', licence ?? 'not known'],
    ['runs here', fit?.reason],
    ['memory', fit ? memoryText(fit) : undefined],
    ['speed', fit && fit.runs !== 'no' ? speedText(fit) : undefined],
    ['came from', file ? originText(file) : url],
    ['SHA-256', sha256 ?? 'not known before the first download'],
    ['chosen', file?.selected ? 'yes: `quarry start` loads it' : undefined],
  ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}

/** «4.0 billion», «135 million» */
function parametersText(parameters: number): string {
  if (parameters >= 1e9) return `${(parameters / 1e9).toFixed(1)} billion`;
  return parameters >= 1e6 ? `${Math.round(parameters / 1e6)} million` : parameters.toLocaleString('en');
}

function templateText({ chatTemplate, embeddings }: NonNullable<ModelDetails['facts']>): string | undefined {
  if (embeddings) return 'none: it makes embeddings, and writes no answers';
  if (chatTemplate === undefined) return undefined;
  return chatTemplate ? 'its file has one for conversations' : 'its file has none: conversations are written plainly';
}

function memoryText({ memory, contextSize }: ModelFit): string {
  const { total, weights, cache } = memory;
  return `about ${sizeText(total)} with ${counted(contextSize, 'token')} of context (weights ${sizeText(weights)}, context ${sizeText(cache)})`;
}

function speedText({ speed }: ModelFit): string {
  const rate = (value: number) => value.toFixed(value < 10 ? 1 : 0);
  if (speed.measured) return `${rate(speed.tokensPerSecond)} tokens/s, measured here`;
  return `${rate(speed.low)} to ${rate(speed.high)} tokens/s, estimated`;
}

function originText({ origin, source, since }: NonNullable<ModelDetails['file']>): string {
  const when = since === undefined ? '' : `, ${dayText(since)}`;
  switch (origin) {
    case 'built-in':
      return 'comes with Quarry, only for trying things out';
    case 'downloaded':
      return `downloaded${source ? ` from ${source}` : ''}${when}`;
    case 'imported':
      return `imported from a file${when}`;
    case 'found':
      return 'found in the models folder: loaded only when you name it';
  }
}

import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { RulesScoreView } from '../../../src-preload/contract/focus.ts';
import type { Rating, Verdict } from '../../../src-preload/contract/focus-score.ts';
import { isRefused } from '../../../src-preload/contract/is-refused.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { table } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { appealNote } from './arguments.ts';
import { foundRecording } from './found-recording.ts';

/** `quarry focus score` and `quarry focus appeal`: what recordings are worth. */
export function registerFocusScore(focus: Command): void {
  focus
    .command('score')
    .argument('<id>', 'of the recording, or how it begins')
    .option('--model', 'ask the model of focus.scorer, too: its score decides what the recording is worth')
    .description('what the rules on this computer say of it, and what it is worth')
    .action(runCommand(score));
  focus
    .command('appeal')
    .argument('<id>', 'of the recording, or how it begins')
    .argument('<note>', 'what is wrong with its score', appealNote)
    .description('keep what is wrong with its score, and have it scored anew')
    .action(runCommand(appeal));
}

/** @throws BAD_REQUEST where a model was to be asked, and gave no score */
export async function score(
  context: CommandContext,
  beginning: string,
  { model = false }: { model?: boolean },
): Promise<void> {
  const { output, withNode } = context;
  await withNode({}, async (node) => {
    const { id, title } = await foundRecording(node, beginning);
    const rules = await node.focus.score({ id });
    if (model) await rate(node, { id }, context);
    const rating = await node.focus.rating({ id });
    output.document({ rules, rating });
    output.line(`${title}: ${rulesText(rules)}`);
    output.line(
      table(
        ['RULE', 'OUTCOME', 'WHY'],
        rules.findings.map(({ rule, outcome, text }) => [rule, outcome, text]),
      ),
    );
    if (model && rating.verdict.state === 'draft') throw await unscored(node, rating.verdict);
    output.line(verdictText(rating.verdict));
    if (rating.verdict.state === 'draft') output.line(nextText(rules));
    for (const line of modelLines(rating)) output.line(line);
  });
}

async function rate(
  node: NodeClient,
  asked: { id: string; appeal?: string },
  { output, signal }: CommandContext,
): Promise<void> {
  const remark = new Remark(output);
  try {
    for await (const event of await node.focus.rate(asked, { signal })) {
      if (event.type === 'step') remark.show(`Being scored: ${event.step}`);
    }
  } finally {
    remark.end();
  }
}

async function appeal(context: CommandContext, beginning: string, note: string): Promise<void> {
  const { output, withNode } = context;
  await withNode({}, async (node) => {
    const { id } = await foundRecording(node, beginning);
    await rate(node, { id, appeal: note }, context);
    const { verdict } = await node.focus.rating({ id });
    output.document(verdict);
    output.line(verdictText(verdict));
  });
}

async function unscored(node: NodeClient, { text }: Verdict): Promise<QuarryError> {
  const { model, host, lack } = await node.focus.scorer();
  const message = text ?? lack ?? 'The model gave no score.';
  const isSet = model !== null && host !== null;
  return new QuarryError({ code: 'BAD_REQUEST', message, ...(!isSet && { hint: SET_UP }) });
}

const SET_UP = 'Set focus.scorer.baseUrl, the address of a server that speaks the OpenAI API, and focus.scorer.model.';

function rulesText(rules: RulesScoreView): string {
  return isRefused(rules) ? 'the rules do not accept it' : `the rules accept it, ${rules.score.toFixed(2)}`;
}

/** What a score would add to the word of the rules. */
function nextText(rules: RulesScoreView): string {
  return isRefused(rules)
    ? 'What the rules do not accept is shown to no model: its score would be 0.'
    : 'A model would say how good the work is: --model';
}

function verdictText({ state, score: worth, text }: Verdict): string {
  const scored = worth === null ? 'not scored yet' : worth.toFixed(2);
  return `${state}: ${scored}${text === null ? '' : `. ${text}`}`;
}

function modelLines({ model, uniqueness }: Rating): string[] {
  if (!model) return [];
  const { completion, legitimacy, boost, host } = model;
  const share = (value: number | null | undefined) => value?.toFixed(2) ?? 'not known';
  return [
    `By the model ${model.model} at ${host}: ${share(model.score)}${boost === 1 ? '' : ` (× ${boost})`}`,
    ...(legitimacy ? [`Work: ${legitimacy.rationale}`] : []),
    ...(completion ? [`Task: ${completion.rationale}`] : []),
    ...(completion?.missing ? [`What would raise it: ${completion.missing}`] : []),
    `New: task ${share(uniqueness?.task)}, way of doing it ${share(uniqueness?.description)}, pictures ${share(uniqueness?.pictures)}`,
  ];
}

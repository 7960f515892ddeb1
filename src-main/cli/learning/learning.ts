import type { Command } from 'commander';
import type { LearningStatus } from '../../../src-preload/contract/learning.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, dayText } from '../terminal/output.ts';
import { registerEval } from './eval.ts';
import { evalMeans } from './eval-means.ts';
import { registerFeedback } from './feedback.ts';
import { registerNow } from './now.ts';
import { registerRuns } from './runs.ts';
import { registerVersionSharing } from './sharing.ts';
import { registerTorch } from './torch.ts';
import { registerVersions } from './versions.ts';

/** `quarry learn`: the model on this machine gets better from what it is told. */
export function registerLearn(program: Command): void {
  const learn = program.command('learn').description('the model on this machine gets better from what you tell it');
  learn
    .command('status', { isDefault: true })
    .description('what is kept of answers, and what waits to be learnt')
    .action(runCommand(status));
  registerNow(learn);
  registerRuns(learn);
  registerFeedback(learn);
  registerVersions(learn);
  registerVersionSharing(learn);
  registerTorch(learn);
  registerEval(learn, evalMeans);
}

async function status({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const state = await node.learning.status();
    output.document(state);
    const { keeps, hindrance, adapter, inUse, answers, feedback } = state;
    const since = answers.oldest === null ? '' : ` since ${dayText(answers.oldest)}`;
    output.line(`${counted(answers.count, 'answer')} kept${since}, ${sizeText(answers.bytes)}.`);
    if (hindrance) output.line(`Nothing is learnt here: ${hindrance.text}`);
    if (!keeps) output.line('No more are kept: the setting learning.keep is off.');
    const taken = feedback.taken > 0 ? `, and ${feedback.taken} being learnt` : '';
    output.line(inUseText(adapter, inUse));
    output.line(`${counted(feedback.waiting, 'piece', 'pieces')} of feedback for «${adapter}» waiting${taken}.`);
    if (feedback.aside > 0) output.line(await asideText(node, feedback.aside));
  });
}

async function asideText(node: NodeClient, count: number): Promise<string> {
  const { feedback } = await node.learning.feedback({ state: 'aside', limit: 1 });
  const why = feedback[0]?.failure?.message ?? '';
  return `${counted(count, 'piece', 'pieces')} put aside, since learning failed three times: ${why} To try again: quarry learn now`;
}

function inUseText(adapter: string, { version, belongsTo }: LearningStatus['inUse']): string {
  if (version !== null) return `Your questions are answered with ${version}.`;
  if (belongsTo === null) return 'Your questions are answered by the model as it is.';
  return `«${adapter}» belongs to the model ${belongsTo}. Another one is set: it answers as it is.`;
}

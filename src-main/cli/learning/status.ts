import type { Command } from 'commander';
import type { LearningStatus } from '../../../src-preload/contract/learning.ts';
import type { LearningNow } from '../../../src-preload/contract/learning-runs.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { namedError } from '../../client/named-error.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, dayText, table } from '../terminal/output.ts';
import { stateText } from './run-text.ts';

/** `quarry learn status|adapters`: how learning stands, and what has learnt. */
export function registerStatus(learn: Command): void {
  learn
    .command('status', { isDefault: true })
    .description('what is kept of answers, what waits to be learnt, and whether it is being learnt')
    .action(runCommand(status));
  learn
    .command('adapters')
    .description('what has learnt, each for one model; the one that is set (learning.adapter) is marked')
    .action(runCommand(adapters));
}

/** The body of `quarry learn status`. */
export async function status({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node, nodeRuns) => {
    const state = await node.learning.status();
    const { now, never } = nodeRuns ? await standing(node) : { now: null, never: undefined };
    output.document({ ...state, nodeRuns, now });
    const { keeps, hindrance, adapter, inUse, answers, feedback } = state;
    const since = answers.oldest === null ? '' : ` since ${dayText(answers.oldest)}`;
    output.line(`${counted(answers.count, 'answer')} kept${since}, ${sizeText(answers.bytes)}.`);
    if (!keeps) output.line('No more are kept: the setting learning.keep is off.');
    output.line(inUseText(adapter, inUse));
    output.line(waitingText(state));
    if (feedback.aside > 0) output.line(await asideText(node, feedback.aside));
    const hinders = hindrance?.text ?? never;
    const how = hinders === undefined ? standingText(state, now) : `Nothing is learnt here: ${hinders}`;
    if (how !== undefined) output.line(how);
  });
}

/** How the running node's learning stands; where it never learns, why. */
async function standing(node: NodeClient): Promise<{ now: LearningNow | null; never?: string }> {
  try {
    for await (const now of await node.learning.follow()) return { now };
  } catch (error) {
    const { code, message } = namedError(error);
    if (code === 'NOT_RUNNING') return { now: null, never: message };
    throw error;
  }
  return { now: null };
}

function waitingText({ adapter, feedback: { waiting, taken }, byAdapter }: LearningStatus): string {
  const begun = taken > 0 ? `, and ${taken} in a run that was begun` : '';
  const of = byAdapter.filter((one) => one.waiting > 0);
  if (of.every((one) => one.adapter === adapter)) {
    return `${counted(waiting, 'piece', 'pieces')} of feedback for «${adapter}» waiting${begun}.`;
  }
  const each = of.map((one) => `${one.waiting} for «${one.adapter}»`).join(', ');
  return `${counted(waiting, 'piece', 'pieces')} of feedback waiting (${each})${begun}.`;
}

async function asideText(node: NodeClient, count: number): Promise<string> {
  const { feedback } = await node.learning.feedback({ state: 'aside', limit: 1 });
  const why = feedback[0]?.failure?.message ?? '';
  return `${counted(count, 'piece', 'pieces')} put aside, since learning failed three times: ${why} To try again: quarry learn now`;
}

/** Undefined where there is nothing to say. */
function standingText({ feedback }: LearningStatus, now: LearningNow | null): string | undefined {
  const hasSome = feedback.waiting + feedback.taken > 0;
  if (!now) return hasSome ? 'No node runs here. It is learnt by: quarry learn now, or once a node runs.' : undefined;
  switch (now.state) {
    case 'learning':
      return `Learning: ${stateText(now)}.`;
    case 'paused':
      return 'Paused. «quarry learn now» goes on.';
    case 'held':
      if (now.why.length > 0) return `Held: ${now.why.map(({ text }) => text).join(' ')}`;
      return hasSome
        ? 'Held, after a run that failed or was cancelled: until there is new feedback, or by quarry learn now.'
        : undefined;
    case 'waiting':
      return hasSome ? now.why.map(({ text }) => text).join(' ') || 'It is learnt in a moment.' : undefined;
  }
}

function inUseText(adapter: string, { version, belongsTo }: LearningStatus['inUse']): string {
  if (version !== null) return `Your questions are answered with ${version}.`;
  if (belongsTo === null) return 'Your questions are answered by the model as it is.';
  return `«${adapter}» belongs to the model ${belongsTo}. Another one is set: it answers as it is.`;
}

async function adapters({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const { adapter: set, byAdapter } = await node.learning.status();
    const known = await node.learning.adapters();
    const names = new Set([...known, ...byAdapter.map(({ adapter: name }) => ({ name }))].map(({ name }) => name));
    const all = [...names].sort().map((name) => {
      const { model, base, latest } = known.find((one) => one.name === name) ?? NO_VERSION;
      const { waiting, taken, aside } = byAdapter.find((one) => one.adapter === name) ?? NO_FEEDBACK;
      return { name, isSet: name === set, model, base, latest, feedback: { waiting, taken, aside } };
    });
    output.document(all);
    if (all.length === 0) return output.line(`There is none yet. What is said of answers is learnt by «${set}».`);
    const rows = all.map(({ name, isSet, model, latest, feedback }) => [
      ...[isSet ? '*' : '', name, model ?? '–', latest ?? 'the model as it is', feedback.waiting],
    ]);
    output.line(table(['', 'ADAPTER', 'FOR THE MODEL', 'IN USE', 'FEEDBACK WAITING'], rows));
    output.note('Versions of one: quarry learn versions --adapter NAME');
  });
}

/** Of an adapter that feedback is given for, and that has learnt nothing yet. */
const NO_VERSION = { model: null, base: null, latest: null };
const NO_FEEDBACK = { waiting: 0, taken: 0, aside: 0 };

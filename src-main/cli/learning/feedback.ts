import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { FEEDBACK_STATES, type Feedback, type FeedbackState } from '../../../src-preload/contract/learning.ts';
import { namedError } from '../../client/named-error.ts';
import { integer } from '../terminal/arguments.ts';
import { askYes } from '../terminal/ask-yes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, shortened, table, timeText } from '../terminal/output.ts';

/** Of a text, in a table. */
const SHOWN = 60;

interface GiveFlags {
  edit?: boolean;
  up?: boolean;
  down?: boolean;
  adapter?: string;
}

/** `quarry learn answers|feedback|forget`: the answers that are kept, and what is said of them. */
export function registerFeedback(learn: Command): void {
  learn
    .command('answers')
    .option('--limit <n>', 'how many, the newest first', integer(1, 100), 20)
    .description('answers that feedback can refer to, with their ids: of conversations, and of programs')
    .action(runCommand(answers));
  const feedback = learn.command('feedback').description('what you said of answers, and what became of it');
  feedback
    .command('list', { isDefault: true })
    .addOption(new Option('--state <state>', 'only these').choices(FEEDBACK_STATES))
    .option('--limit <n>', 'how many, the newest first', integer(1, 100), 20)
    .description('feedback, newest first')
    .action(runCommand(list));
  feedback
    .command('give')
    .argument(
      '<answer>',
      'its id, as `quarry learn answers` lists them: `chatcmpl-…` of the OpenAI API, `turn-…` of a conversation',
    )
    .argument('[text]', 'what should be different')
    .option('--edit', 'the text is how the answer should have been')
    .addOption(new Option('--up', 'a thumb up: it is noted, and teaches nothing').conflicts(['down', 'edit']))
    .addOption(new Option('--down', 'a thumb down: it is noted, and teaches nothing').conflicts(['up', 'edit']))
    .option('--adapter <name>', 'which adapter is to learn from it')
    .description('say what should be different in an answer')
    .action(runCommand(give));
  feedback
    .command('withdraw')
    .argument('<number>', 'of the feedback', integer(1))
    .description('take feedback back from which nothing was learnt: what waits, was rejected or put aside, or a thumb')
    .action(runCommand(withdraw));
  feedback
    .command('retry')
    .argument('<number...>', 'of the feedback', (text: string, before: number[] = []) => [...before, integer(1)(text)])
    .description('have feedback tried again that was rejected or put aside: it waits to be learnt')
    .action(runCommand(retry));
  learn
    .command('forget')
    .option('--yes', 'without asking')
    .description('forget the answers that are kept, but for those that feedback refers to')
    .action(runCommand(forget));
}

async function answers({ output, withNode }: CommandContext, { limit }: { limit: number }): Promise<void> {
  await withNode({}, async (node) => {
    const page = await node.learning.answers({ limit });
    output.document(page);
    if (page.answers.length === 0) return output.line(await noneKept(node));
    const rows = page.answers.map(({ id, at, door, question, seen }) => [
      ...[id, timeText(at), door, short(question), short(seen)],
    ]);
    output.line(table(['ANSWER', 'WHEN', 'ASKED BY', 'QUESTION', 'BEGINS'], rows));
    if (page.more) output.note('There are older ones: --limit shows up to 100.');
    output.note('What should be different in one: quarry learn feedback give ANSWER "…"');
  });
}

async function noneKept(node: NodeClient): Promise<string> {
  const { keeps } = await node.learning.status();
  if (!keeps) return 'None is kept: the setting learning.keep is off.';
  return 'None is kept yet. Ask this machine’s own model: quarry chat --local';
}

async function list(
  { output, withNode }: CommandContext,
  { state, limit }: { state?: FeedbackState; limit: number },
): Promise<void> {
  await withNode({}, async (node) => {
    const page = await node.learning.feedback({ limit, ...(state && { state }) });
    output.document(page);
    if (page.feedback.length === 0) return output.line('There is none.');
    output.line(feedbackTable(page.feedback));
    if (page.more) output.note('There is more: --limit shows up to 100.');
  });
}

function feedbackTable(feedback: readonly Feedback[]): string {
  const rows = feedback.map(({ id, at, state, adapter, kind, text, seen, answer }) => [
    ...[id, timeText(at), state, adapter, answer],
    ...[text === null ? kind : short(kind === 'say' ? text : `${kind}: ${text}`), short(seen)],
  ]);
  return table(['#', 'WHEN', 'STATE', 'ADAPTER', 'ANSWER', 'FEEDBACK', 'OF'], rows);
}

function short(text: string): string {
  return shortened(text.replace(/\s+/g, ' ').trim(), SHOWN);
}

async function give(
  { output, withNode }: CommandContext,
  answer: string,
  text: string | undefined,
  { edit, up, down, adapter }: GiveFlags,
): Promise<void> {
  const kind = up ? 'up' : down ? 'down' : edit ? 'edit' : 'say';
  const isThumb = kind === 'up' || kind === 'down';
  const hasText = text !== undefined && text.trim() !== '';
  if (isThumb === hasText) throw wrongText(isThumb);
  await withNode({}, async (node) => {
    const given = await node.learning
      .give({ answer, kind, ...(text && { text }), ...(adapter && { adapter }) })
      .catch(rightIds);
    output.document(given);
    output.line(givenLine(given));
    if (kind === 'down') output.note(`What should be different teaches: quarry learn feedback give ${answer} "…"`);
  });
}

/** Of an answer that is not kept: which are. */
function rightIds(error: unknown): never {
  const named = namedError(error);
  if (named.code !== 'ANSWER_NOT_FOUND') throw named;
  const hint = `Those that are kept: quarry learn answers. ${named.hint ?? ''}`.trim();
  throw new QuarryError({ ...named.toJSON(), hint }, { cause: error });
}

function givenLine({ id, adapter, state }: Feedback): string {
  if (state === 'noted') return `Noted as feedback ${id}. Nothing is learnt from a thumb.`;
  return `Kept as feedback ${id} for «${adapter}»; it waits to be learnt.`;
}

function wrongText(isThumb: boolean): QuarryError {
  const message = isThumb ? 'A thumb has no text.' : 'The feedback is empty: what should be different?';
  return new QuarryError({ code: 'BAD_REQUEST', message, hint: 'quarry learn feedback give ANSWER "Be shorter."' });
}

async function withdraw({ output, withNode }: CommandContext, id: number): Promise<void> {
  await withNode({}, async (node) => {
    const withdrawn = await node.learning.withdraw({ id });
    output.document(withdrawn);
    output.line(`Feedback ${id} is taken back: nothing is learnt from it.`);
  });
}

async function retry({ output, withNode }: CommandContext, ids: number[]): Promise<void> {
  await withNode({}, async (node) => {
    const waiting = await node.learning.retry({ ids });
    output.document(waiting);
    output.line(
      `Feedback ${ids.join(', ')} ${ids.length === 1 ? 'waits' : 'wait'} to be learnt again: quarry learn now`,
    );
  });
}

async function forget({ output, withNode }: CommandContext, { yes = false }: { yes?: boolean }): Promise<void> {
  const question = 'Forget all answers that no feedback refers to?';
  if (!yes && !(await askYes(question, 'Nothing was forgotten', output.json))) return;
  await withNode({}, async (node) => {
    const { forgotten } = await node.learning.forget();
    output.document({ forgotten });
    output.line(`${counted(forgotten, 'answer')} forgotten.`);
  });
}

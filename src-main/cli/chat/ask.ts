import { text as readAll } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest, Paid } from '../../../src-preload/contract/inference.ts';
import { shortId } from '../../../src-preload/contract/limits.ts';
import { type Saying, say, sentence } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { AnswerFacts } from '../../client/answer.ts';
import { number } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { interruptible } from '../terminal/interruption.ts';
import { counted, durationText, type Output } from '../terminal/output.ts';
import { addSamplingOptions, type SamplingFlags } from '../terminal/sampling-options.ts';

interface AskFlags extends SamplingFlags {
  local?: boolean;
  mesh?: boolean;
  model?: string;
  system?: string;
  timeout?: number;
}

/** `quarry ask`: one question, answered by the mesh or by this machine. */
export function registerAsk(program: Command): void {
  const command = program
    .command('ask')
    .argument('<question>', 'what to ask; «-» reads it from standard input')
    .description('ask one question and stream the answer')
    .addOption(new Option('--local', 'answer with this machine’s own model').conflicts('mesh'))
    .addOption(new Option('--mesh', 'let another node answer (the default)'))
    .option('--model <name>', 'with --mesh: ask only workers that serve this model; with --local: the model to load')
    .option('--system <text>', 'instructions that stand before the question');
  addSamplingOptions(command)
    .option('--timeout <seconds>', 'give up after this long', number(1, 3_600), 120)
    .addHelpText(
      'after',
      '\nThe worker that answers can read what you ask. Do not send secrets to a mesh you do not trust.',
    )
    .action(runCommand((context, question: string, flags: AskFlags) => ask(context, question, flags)));
}

async function ask(context: CommandContext, question: string, flags: AskFlags): Promise<void> {
  const { config, output, signal } = context;
  const content = (question === '-' ? await interruptible(readAll(process.stdin), signal) : question).trim();
  if (!content)
    throw new QuarryError({ code: 'BAD_REQUEST', message: 'The question is empty.', hint: 'quarry ask "…"' });
  const target = flags.local ? 'local' : 'mesh';
  await context.withNode({ engine: target === 'local', mesh: target === 'mesh' }, async (node) => {
    const events = await node.inference.ask(
      {
        target,
        messages: [
          ...(flags.system ? [{ role: 'system' as const, content: flags.system }] : []),
          { role: 'user', content },
        ],
        model: flags.local && flags.model ? config.model : flags.model, // the setting has the path resolved
        maxTokens: flags.maxTokens,
        temperature: flags.temperature,
        seed: flags.seed,
        deadlineMs: Math.round((flags.timeout ?? 120) * 1_000),
      },
      { signal },
    );
    await tell(events, target, output);
  });
}

/** Writes an answer as it comes, and what happens to it; of one that fails, what it cost all the same. @throws what the events do */
export async function tell(
  events: AsyncIterable<AskEvent>,
  target: AskRequest['target'],
  output: Output,
): Promise<void> {
  const facts = new AnswerFacts();
  const { paid } = facts;
  try {
    for await (const event of events) {
      facts.take(event);
      show(event, paid, output);
      if (event.type !== 'done') continue;
      output.document({ target, worker: facts.worker, ...event.result, ...(target === 'mesh' && { paid }) });
    }
  } catch (error) {
    if (paid.length > 0) output.note(styleText('dim', `what came of it: ${costText(paid)}`));
    throw error;
  }
}

/** Writes one event of an answer. @param paid what the question has cost so far */
export function show(event: AskEvent, paid: readonly Paid[], output: Output): void {
  if (event.type === 'chunk') output.write(event.text);
  else if (event.type === 'done' || event.type === 'restart') output.write('\n');
  const note = noteOn(event, paid);
  if (note) output.note(styleText('dim', foreignLine(note)));
}

/**
 * What a terminal is told beside the answer. The rate is of the writing alone: reading the question is in the time, not in it.
 * @param paid what the question has cost so far
 */
export function noteOn(event: AskEvent, paid: readonly Paid[] = []): string | undefined {
  switch (event.type) {
    case 'worker':
      return `asking ${shortId(event.worker)}${event.model ? ` (${event.model})` : ''}`;
    case 'version':
      return `answered with ${event.version}`;
    case 'queued':
      if (event.etaMs === 0) return undefined; // a place is free
      return `place ${event.position + 1} in the queue of ${shortId(event.worker)}, about ${durationText(event.etaMs)}`;
    case 'restart':
      return `${shortId(event.worker)} did not finish (${event.reason}); starting again with another worker`;
    case 'done': {
      const { completionTokens, totalMs, tokensPerSecond } = event.result;
      const all = [`${counted(completionTokens, 'token')} in ${durationText(totalMs)}`];
      // One token alone has no speed.
      if (tokensPerSecond > 0) all.push(`once it wrote, ${Math.round(tokensPerSecond)} tokens/s`);
      if (paid.length > 0) all.push(costText(paid));
      return all.join('; ');
    }
    case 'chunk':
    case 'paid':
      return undefined;
  }
}

const PAID_WORDS: Record<Paid['from'], Saying> = {
  claim: say('paid.claim'),
  vouchers: say('paid.vouchers'),
  word: say('paid.word'),
  gift: say('paid.gift'),
  friend: say('paid.friend'),
};

/** «2 credits on trust» */
function costText(paid: readonly Paid[]): string {
  const credits = paid.reduce((sum, one) => sum + one.credits, 0);
  const sources = new Set(paid.map(({ from }) => sentence(PAID_WORDS[from])));
  return `${counted(credits, 'credit')} ${new Intl.ListFormat('en').format(sources)}`;
}

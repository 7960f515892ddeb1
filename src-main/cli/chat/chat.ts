import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import type { ConversationEvent, Sources, Turn } from '../../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Paid } from '../../../src-preload/contract/inference.ts';
import { answerOfTurn } from '../../../src-preload/contract/kept-answers.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { namedError } from '../../client/named-error.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { isCancellation } from '../terminal/interruption.ts';
import { type NodeClient, withNode } from '../terminal/node-client.ts';
import { errorText, type Output } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { addSamplingOptions, type SamplingFlags } from '../terminal/sampling-options.ts';
import { show } from './ask.ts';
import { answererText, type ChatState, type ChatStep, modelNamed, runChatCommand } from './chat-commands.ts';
import { ChatInput } from './chat-input.ts';

interface ChatFlags extends SamplingFlags {
  local?: boolean;
  mesh?: boolean;
  system?: string;
  continue?: boolean;
}

/** Milliseconds between two looks at an answer that was stopped. */
const LOOK_MS = 100;

/** `quarry chat`: a conversation in the terminal. */
export function registerChat(program: Command): void {
  const command = program
    .command('chat')
    .argument('[model]', 'who is to answer: a model of this machine, or one that the mesh serves')
    .description('talk with a model; the conversation is kept with those of the playground')
    .addOption(new Option('--local', 'answer with this machine’s own model').conflicts('mesh'))
    .addOption(new Option('--mesh', 'let another node answer (the default, unless the model is on this machine)'))
    .option('--continue', 'go on with the conversation that was held last')
    .option('--system <text>', 'instructions that stand before the conversation');
  addSamplingOptions(command)
    .addHelpText(
      'after',
      `
While you talk: /help lists the commands. Several lines stand between """. Ctrl+C stops an answer, Ctrl+D leaves.
/feedback TEXT says what should be different in the last answer of this machine's model, so that it learns it;
/feedback up and down are thumbs. \`quarry learn answers\` lists ids of answers, to say it later.
Out of a pipe every line is a question; with --json each answer is one document, \`answer\` its id where it is kept.
A worker of the mesh can read what you ask. Do not send secrets to a mesh you do not trust.`,
    )
    .action(runCommand((context, model: string | undefined, flags: ChatFlags) => chat(context, model, flags)));
}

async function chat(context: CommandContext, model: string | undefined, flags: ChatFlags): Promise<void> {
  const { output } = context;
  const terminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  const state = await begin(context, model && modelNamed(model), flags);
  const input = new ChatInput({
    input: process.stdin,
    output: output.json ? process.stderr : process.stdout,
    terminal,
  });
  const opening = new Remark({ ...output, json: output.json || !terminal });
  /** With these a node could be opened. */
  let good: ChatState['options'] | undefined;
  const present = () => {
    opening.end();
    if (good === undefined && terminal) greet(state, output);
    good = state.options;
  };
  try {
    for (let step: ChatStep = 'on'; step !== 'leave'; ) {
      opening.show(state.options.target === 'local' ? 'Loading the model …' : 'Joining the mesh …');
      try {
        step = await session(context, state, input, present);
      } catch (error) {
        opening.end();
        if (good === undefined || good === state.options || isCancellation(error)) throw error;
        tellFailure(namedError(error), output);
        Object.assign(state, { options: good, changed: true });
        output.line(`${answererText(good)} answers as before.`);
      }
    }
  } finally {
    input.close();
  }
}

/** With one node: the one that runs, or one of its own. @param onOpen told when it is there */
async function session(
  { config, output, signal }: CommandContext,
  state: ChatState,
  input: ChatInput,
  onOpen: () => void,
): Promise<ChatStep> {
  const { target, model } = state.options;
  const named = target === 'local' && model !== undefined ? { ...config, model } : config;
  const talking = (node: NodeClient) => {
    onOpen();
    return talk(node, state, input, output);
  };
  return await withNode(named, { engine: target === 'local', mesh: target === 'mesh' }, talking, signal);
}

async function begin(
  { withNode }: CommandContext,
  model: string | undefined,
  { local, mesh, system, maxTokens, temperature, seed, continue: goOn }: ChatFlags,
): Promise<ChatState> {
  const target: ChatState['options']['target'] =
    local || (!mesh && model !== undefined && (await isHere(withNode, model))) ? 'local' : 'mesh';
  const given = { model, system, maxTokens, temperature, seed };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (!goOn) return { options: { target, ...options }, changed: false };
  const [last] = await withNode({}, (node) => node.conversations.list({ limit: 1 }));
  if (!last) throw new QuarryError({ code: 'BAD_REQUEST', message: 'There is no conversation to go on with.' });
  const chosen = local || mesh || model !== undefined ? { target } : {};
  return { id: last.id, options: { ...last.options, ...chosen, ...options }, changed: true };
}

async function isHere(withNode: CommandContext['withNode'], name: string): Promise<boolean> {
  if (name.endsWith('.gguf')) return true;
  return (await withNode({}, (node) => node.models.list())).some((model) => model.name === name);
}

function greet({ options, id }: ChatState, output: Output): void {
  const goesOn = id === undefined ? '' : ' The conversation that was held last goes on.';
  output.line(`${styleText('bold', answererText(options))} answers.${goesOn}`);
  output.line(styleText('dim', '/help lists the commands. Ctrl+C stops an answer, Ctrl+D leaves.'));
}

/** With one node, until another one is needed. */
async function talk(node: NodeClient, state: ChatState, input: ChatInput, output: Output): Promise<ChatStep> {
  for (;;) {
    const typed = (await input.next())?.trim();
    if (typed === undefined) return 'leave';
    if (typed === '') continue;
    try {
      const step = typed.startsWith('/')
        ? await runChatCommand(typed, state, { node, output })
        : await ask(node, state, typed, input, output);
      if (step !== 'on') return step;
    } catch (error) {
      const failure = namedError(error);
      tellFailure(failure, output);
      if (failure.code === 'NOT_RUNNING') return 'reopen'; // the node has ended: perhaps there is another
    }
  }
}

function tellFailure(error: QuarryError, output: Output): void {
  failed();
  if (output.json) output.document({ error });
  else output.note(errorText(error));
}

/** A program that pipes questions in sees it by the exit code; a person has seen it. */
function failed(): void {
  if (!process.stdin.isTTY) process.exitCode = 1;
}

/** Asks, and writes the answer as it comes. */
async function ask(
  node: NodeClient,
  state: ChatState,
  text: string,
  input: ChatInput,
  output: Output,
): Promise<ChatStep> {
  const id = await conversationOf(node, state);
  const turn = await input.during((stop) => answer(node, id, text, { output, stop }));
  const { answer: how } = turn;
  if (how?.state === 'stopped') output.note(styleText('dim', 'stopped'));
  const kept = (await isKept(node, state, turn)) ? answerOfTurn(turn.id) : undefined;
  if (output.json) output.document({ conversation: id, answer: kept, text: turn.text, ...how });
  if (kept !== undefined) output.note(styleText('dim', `${kept}; /feedback says what should be different`));
  if (how?.error) {
    failed();
    if (!output.json) output.note(errorText(new QuarryError(how.error as QuarryError)));
  }
  return 'on';
}

/** Whether feedback can refer to an answer, as far as is known here. */
async function isKept(node: NodeClient, state: ChatState, { answer }: Turn): Promise<boolean> {
  if (answer?.target !== 'local' || answer.state !== 'done' || state.options.private) return false;
  state.keeps ??= (await node.learning.status()).keeps;
  return state.keeps;
}

/** The conversation of the node, with what was chosen meanwhile. */
async function conversationOf(node: NodeClient, state: ChatState): Promise<string> {
  const { options } = state;
  if (state.id === undefined) state.id = (await node.conversations.create(options)).id;
  else if (state.changed) await node.conversations.update({ id: state.id, options });
  state.changed = false;
  return state.id;
}

async function answer(
  node: NodeClient,
  id: string,
  text: string,
  { output, stop }: { output: Output; stop: AbortSignal },
): Promise<Turn> {
  const paid: Paid[] = [];
  let written = false;
  try {
    for await (const event of await node.conversations.ask({ id, text, door: 'terminal' }, { signal: stop })) {
      if (event.type === 'ended') {
        if (written && event.turn.answer?.state !== 'done') output.write('\n');
        return event.turn;
      }
      written ||= event.type === 'chunk';
      tell(event, paid, output);
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  if (written) output.write('\n');
  return await stopped(node, id);
}

function tell(event: Exclude<ConversationEvent, { type: 'ended' }>, paid: Paid[], output: Output): void {
  if (event.type === 'turns' || event.type === 'filing') return;
  if (event.type === 'sources') {
    output.note(styleText('dim', sourcesLine(event.sources)));
    return;
  }
  if (event.type === 'call') {
    const { tool, arguments: args, result } = event.call;
    if (result !== null) output.note(styleText('dim', foreignLine(`${tool} ${args}: ${result}`)));
    return;
  }
  if (event.type === 'paid') paid.push({ worker: event.worker, credits: event.credits, from: event.from });
  show(event, paid, output);
}

/** Where long files of the conversation were looked at: they are attached in the playground. */
function sourcesLine({ passages }: Sources): string {
  const places = passages.map(({ file, page }) => (page === null ? file : `${file}, page ${page}`));
  return `Sources: ${[...new Set(places)].join('; ')}`;
}

/** What was kept of an answer that was left: the node may need a moment to see that nobody reads it any more. */
async function stopped(node: NodeClient, id: string): Promise<Turn> {
  for (;;) {
    const last = (await node.conversations.get({ id })).turns.at(-1);
    if (last && last.answer?.state !== 'answering') return last;
    await sleep(LOOK_MS);
  }
}

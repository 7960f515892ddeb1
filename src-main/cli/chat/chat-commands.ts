import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { AskOptions, Turn } from '../../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { answerOfTurn } from '../../../src-preload/contract/kept-answers.ts';
import { MAX_ANSWERS_ASKED, MAX_SYSTEM_CHARS } from '../../../src-preload/contract/limits.ts';
import { nearestOf } from '../../base/nearest.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { type Output, table } from '../terminal/output.ts';

/** What is talked about, and with whom. */
export interface ChatState {
  options: AskOptions;
  /** The conversation; undefined until something is asked in it. */
  id?: string | undefined;
  /** The conversation does not have these options yet. */
  changed: boolean;
  /** Whether the node keeps its own answers, so that feedback can refer to them; undefined until that was asked. */
  keeps?: boolean;
}

/** How it goes on after a command. */
export type ChatStep = 'on' | 'leave' | 'reopen';

interface ChatCommand {
  names: readonly string[];
  /** What follows the name. */
  takes?: string;
  help: string;
  run(chat: ChatState, rest: string, around: { node: NodeClient; output: Output }): Promise<ChatStep> | ChatStep;
}

const COMMANDS: readonly ChatCommand[] = [
  { names: ['help', '?'], help: 'show this list', run: (_chat, _rest, { output }) => help(output) },
  {
    names: ['model'],
    takes: '[NAME]',
    help: 'show the model, or choose another; «/model any» takes what there is',
    run: chooseModel,
  },
  { names: ['local'], help: 'let this machine answer', run: (chat, _, { output }) => answerBy(chat, 'local', output) },
  { names: ['mesh'], help: 'let another node answer', run: (chat, _, { output }) => answerBy(chat, 'mesh', output) },
  {
    names: ['system'],
    takes: '[TEXT]',
    help: 'show the instructions that stand before the conversation, or set them; «/system none» takes them away',
    run: setSystem,
  },
  {
    names: ['feedback'],
    takes: 'TEXT|up|down',
    help: 'say what should be different in the last answer: the model of this machine learns from it; «up» and «down» are thumbs, from which it learns nothing',
    run: giveFeedback,
  },
  {
    names: ['private'],
    takes: '[on|off]',
    help: 'keep nothing of this conversation for learning, or do again',
    run: setPrivate,
  },
  { names: ['clear', 'new'], help: 'begin a new conversation; the old one is kept', run: clear },
  { names: ['save'], takes: 'FILE', help: 'write the conversation to a file: .json, or Markdown', run: save },
  { names: ['exit', 'quit', 'bye'], help: 'leave (Ctrl+D does, too)', run: () => 'leave' },
];

/** @param line begins with a slash. @throws BAD_REQUEST for a command that there is not */
export async function runChatCommand(
  line: string,
  chat: ChatState,
  around: { node: NodeClient; output: Output },
): Promise<ChatStep> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = COMMANDS.find(({ names }) => names.includes(name.toLowerCase()));
  if (!command) throw unknownCommand(name);
  return await command.run(chat, rest.trim(), around);
}

/** Who answers, for a person: «this machine (qwen3-4b)», «the mesh». */
export function answererText({ target, model }: AskOptions): string {
  const who = target === 'local' ? 'this machine' : 'the mesh';
  return model === undefined ? who : `${who} (${model})`;
}

function help(output: Output): ChatStep {
  output.line(
    table(
      ['COMMAND', ''],
      COMMANDS.map(({ names, takes, help }) => [`/${names[0]} ${takes ?? ''}`.trim(), help]),
    ),
  );
  output.line('Several lines: begin and end them with """. Ctrl+C stops an answer.');
  return 'on';
}

function chooseModel(chat: ChatState, name: string, { output }: { output: Output }): ChatStep {
  if (!name) {
    output.line(`${capital(answererText(chat.options))} answers.`);
    return 'on';
  }
  const { model: _, ...others } = chat.options;
  return change(chat, name === 'any' ? others : { ...others, model: modelNamed(name) }, output);
}

function answerBy(chat: ChatState, target: AskOptions['target'], output: Output): ChatStep {
  const { model: _, ...others } = chat.options; // what one has the other may not
  return change(chat, { ...others, target }, output);
}

function change(chat: ChatState, options: AskOptions, output: Output): ChatStep {
  chat.options = options;
  chat.changed = true;
  output.line(`From now on ${answererText(options)} answers.`);
  return 'reopen';
}

/** The path of a file is the same wherever the node runs. */
export function modelNamed(name: string): string {
  return name.endsWith('.gguf') ? resolve(name) : name;
}

function setSystem(chat: ChatState, text: string, { output }: { output: Output }): ChatStep {
  const { system, ...others } = chat.options;
  if (!text) {
    output.line(system ?? 'There are no instructions.');
    return 'on';
  }
  if (text.length > MAX_SYSTEM_CHARS) {
    const message = `Instructions have at most ${MAX_SYSTEM_CHARS.toLocaleString('en')} characters.`;
    throw new QuarryError({ code: 'BAD_REQUEST', message });
  }
  chat.options = text === 'none' ? others : { ...others, system: text };
  chat.changed = true;
  output.line(
    text === 'none' ? 'There are no instructions any more.' : 'They stand before the conversation from now on.',
  );
  return 'on';
}

function clear(chat: ChatState, _rest: string, { output }: { output: Output }): ChatStep {
  chat.id = undefined;
  output.line('A new conversation.');
  return 'on';
}

/** Said alone, they are no words to learn from. */
const THUMBS = ['up', 'down'] as const;

/** Of the last answer, with the question before it. */
async function giveFeedback(
  { id, options }: ChatState,
  text: string,
  { node, output }: { node: NodeClient; output: Output },
): Promise<ChatStep> {
  if (!text)
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: 'What should be different? /feedback TEXT, or a thumb: /feedback up',
    });
  if (options.private) throw isPrivate();
  if (id === undefined) throw new QuarryError({ code: 'BAD_REQUEST', message: 'Nothing was asked yet.' });
  const { turns } = await node.conversations.get({ id });
  const last = turns.findLast(({ role }) => role === 'assistant');
  if (last?.answer?.target !== 'local') throw notOwnAnswer();
  const answer = answerOfTurn(last.id);
  const thumb = THUMBS.find((one) => one === text.toLowerCase());
  const given = await node.learning.give(thumb ? { answer, kind: thumb } : { answer, kind: 'say', text });
  output.document({ feedback: given });
  output.line(
    thumb
      ? `Noted as feedback ${given.id}. Nothing is learnt from a thumb: /feedback TEXT says what should be different.`
      : `Kept as feedback ${given.id}; it waits to be learnt.`,
  );
  return 'on';
}

function isPrivate(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: 'The conversation is private: nothing of it is kept, so nothing is learnt from it.',
    hint: '/private off, then ask again.',
  });
}

function notOwnAnswer(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: 'The last answer was not given by this machine’s own model: only that learns.',
    hint: '/local lets this machine answer.',
  });
}

/** At once, where something was asked: what is kept of it is forgotten. */
async function setPrivate(
  chat: ChatState,
  word: string,
  { node, output }: { node: NodeClient; output: Output },
): Promise<ChatStep> {
  const { private: was = false, ...others } = chat.options;
  if (!word) {
    output.line(was ? 'The conversation is private.' : 'Answers of this machine are kept for learning.');
    return 'on';
  }
  if (word !== 'on' && word !== 'off')
    throw new QuarryError({ code: 'BAD_REQUEST', message: 'It is /private on, or /private off.' });
  const { id } = chat;
  const options = word === 'on' ? { ...others, private: true } : others;
  if (id !== undefined) await node.conversations.update({ id, options });
  Object.assign(chat, { options, changed: false });
  if (word === 'off') output.line('It is no longer private.');
  else output.line(['Nothing of it is kept for learning.', ...(await whatStays(id, node))].join(' '));
  return 'on';
}

/** Of a conversation that is private now, what was learnt before, or is being learnt. */
async function whatStays(id: string | undefined, node: NodeClient): Promise<string[]> {
  if (id === undefined) return [];
  const { turns } = await node.conversations.get({ id });
  const answers = turns.filter(({ answer }) => answer?.target === 'local').map((turn) => answerOfTurn(turn.id));
  const { feedback } = await node.learning.feedback({ answers: answers.slice(-MAX_ANSWERS_ASKED), limit: 100 });
  const stays = feedback.filter(({ state }) => state !== 'withdrawn');
  if (stays.length === 0) return [];
  const ids = stays.map((each) => each.id).join(', ');
  return [
    `What was learnt from it before, or is being learnt, stays, with the answers that it was said of: feedback ${ids}.`,
    '`quarry learn cancel` gives up what is being learnt, `quarry learn undo` takes back what was.',
  ];
}

async function save(
  { id }: ChatState,
  file: string,
  { node, output }: { node: NodeClient; output: Output },
): Promise<ChatStep> {
  if (!file) throw new QuarryError({ code: 'BAD_REQUEST', message: 'A file is wanted: /save FILE' });
  if (id === undefined) throw new QuarryError({ code: 'BAD_REQUEST', message: 'Nothing was asked yet.' });
  const path = resolve(file);
  const { conversation, turns } = await node.conversations.get({ id });
  const json = extname(path).toLowerCase() === '.json';
  const text = json ? JSON.stringify({ ...conversation, turns }, null, 2) : markdown(conversation.title, turns);
  try {
    await writeFile(path, `${text}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw notSaved(path, error);
  }
  output.line(`Saved to ${path}.`);
  return 'on';
}

export function markdown(title: string, turns: readonly Turn[]): string {
  const name = ({ role, answer }: Turn) => (role === 'user' ? 'You' : (answer?.model ?? 'Answer'));
  return [`# ${title}`, ...turns.map((turn) => `**${name(turn)}**\n\n${turn.text.trim()}`)].join('\n\n');
}

function notSaved(path: string, cause: unknown): QuarryError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'EEXIST') {
    return new QuarryError({ code: 'BAD_REQUEST', message: `${path} is there already.`, hint: 'Choose another name.' });
  }
  return new QuarryError(
    { code: 'BAD_REQUEST', message: `${path} cannot be written (${code ?? message}).` },
    { cause },
  );
}

function unknownCommand(name: string): QuarryError {
  const meant = nearestOf(
    name,
    COMMANDS.flatMap(({ names }) => names),
  );
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `There is no command /${name}.`,
    hint: meant ? `Did you mean /${meant}?` : '/help shows what there is. A question cannot begin with a slash.',
  });
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

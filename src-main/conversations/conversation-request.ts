import type { AskOptions, Passage } from '../../src-preload/contract/conversations.ts';
import { DEFAULTS } from '../../src-preload/contract/defaults.ts';
import type { AskRequest } from '../../src-preload/contract/inference.ts';
import { MAX_MESSAGES } from '../../src-preload/contract/limits.ts';
import type { NewTurn } from '../store/conversations/conversations.ts';
import { toolsNamed } from './tools/built-in.ts';

type Messages = AskRequest['messages'];

const MAX_TITLE = 60;

/** What somebody asks, with the files that the model is to read before. */
export type Question = Pick<NewTurn, 'text' | 'files'>;

/** A token is likely more than two characters, in most languages: what is reckoned with that fits. */
const SURE_CHARS_PER_TOKEN = 2.5;

/** What a model is asked: the system prompt if there is one, what was said before, and the question with passages of long files. */
export function requestFor(
  { system, tools = [], private: _, ...sampling }: AskOptions,
  earlier: NewTurn[],
  question: Question,
  passages: readonly Passage[] = [],
): AskRequest {
  const messages: Messages = system ? [{ role: 'system', content: system }] : [];
  const withUses = history(earlier, answerWithUses);
  const before = withUses.length <= MAX_MESSAGES / 2 ? withUses : history(earlier, justText);
  const content = [...passages.map(passageText), contentOf(question)].join('\n\n');
  messages.push(...before, { role: 'user', content });
  return { ...sampling, messages, ...(tools.length > 0 && { tools: toolsNamed(tools) }) };
}

/** Characters that a request leaves to passages. @param contextSize tokens for prompt and answer together */
export function roomIn({ messages, maxTokens = DEFAULTS.maxTokens }: AskRequest, contextSize: number): number {
  const taken = messages.reduce((sum, { content }) => sum + content.length, 0);
  return Math.max(0, (contextSize - maxTokens) * SURE_CHARS_PER_TOKEN - taken);
}

/** Numbers of the long files that a question can be answered from: its own, and those of the questions before. */
export function longFilesOf(turns: readonly Pick<NewTurn, 'files'>[]): number[] {
  return turns.flatMap(({ files = [] }) => files.flatMap((file) => ('long' in file ? [file.long] : [])));
}

/** Questions with the answers that they got, whole or in part; a question without one is left out with its failure. */
function history(turns: NewTurn[], said: (answer: NewTurn) => Messages): Messages {
  return turns.flatMap((turn, index): Messages => {
    const question = turns[index - 1];
    if (question?.role !== 'user' || !isAnswer(turn)) return [];
    return [{ role: 'user', content: contentOf(question) }, ...said(turn)];
  });
}

function justText({ text }: NewTurn): Messages {
  return [{ role: 'assistant', content: text }];
}

/** With what was called and what came of it, where it was: the model goes on from there. */
function answerWithUses({ text, answer }: NewTurn): Messages {
  const rounds = [...Map.groupBy(answer?.uses ?? [], ({ round }) => round).values()];
  let from = 0;
  const messages = rounds.flatMap((uses): Messages => {
    const at = uses[0]?.at ?? from;
    const said = text.slice(from, at).trim();
    from = at;
    const id = ({ number }: { number: number }) => `call_${number}`;
    const toolCalls = uses.map((use) => ({ id: id(use), name: use.tool, arguments: use.arguments }));
    const results = uses.map((use) => ({ role: 'tool' as const, content: use.result ?? '', toolCallId: id(use) }));
    return [{ role: 'assistant', content: said, toolCalls }, ...results];
  });
  return [...messages, { role: 'assistant', content: from === 0 ? text : text.slice(from).trim() }];
}

function isAnswer({ text, answer }: NewTurn): boolean {
  return answer !== null && ['done', 'stopped', 'interrupted'].includes(answer.state) && text !== '';
}

/** The files that are not long, and then the question. */
function contentOf({ text, files = [] }: Question): string {
  return [...files.flatMap((file) => ('text' in file ? [fenced(file.name, file.text)] : [])), text].join('\n\n');
}

/** With its number, which an answer can name. */
function passageText({ file, page, text }: Passage, index: number): string {
  return fenced(`[${index + 1}] From ${file}${page === null ? '' : `, page ${page}`}`, text);
}

/** A text in a fence that nothing in it can end. */
function fenced(title: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${title}\n${fence}\n${text.trimEnd()}\n${fence}`;
}

/** What a conversation is called after its first question: the first line, cut at a word. At most 60 characters. */
export function titleOf(question: string): string {
  const line = question.trim().split(/[\r\n]/, 1)[0] ?? '';
  const chars = [...line.replace(/[\s\p{Cc}]+/gu, ' ').trim()];
  if (chars.length <= MAX_TITLE) return chars.join('');
  const cut = chars.slice(0, MAX_TITLE - 1);
  const space = chars[cut.length] === ' ' ? cut.length : cut.lastIndexOf(' ');
  return `${cut.slice(0, space > 0 ? space : cut.length).join('')}…`;
}

import type { AskOptions } from '../../src-preload/contract/conversations.ts';
import type { AskRequest } from '../../src-preload/contract/inference.ts';
import type { NewTurn } from '../store/conversations.ts';

type Messages = AskRequest['messages'];

const MAX_TITLE = 60;

/** What somebody asks, with the files that the model is to read before. */
export type Question = Pick<NewTurn, 'text' | 'files'>;

/** What a model is asked: the system prompt if there is one, what was said before, and the question. */
export function requestFor({ system, ...sampling }: AskOptions, earlier: NewTurn[], question: Question): AskRequest {
  const messages: Messages = system ? [{ role: 'system', content: system }] : [];
  messages.push(...history(earlier), { role: 'user', content: contentOf(question) });
  return { ...sampling, messages };
}

/** Questions with the answers that they got, whole or in part; a question without one is left out with its failure. */
function history(turns: NewTurn[]): Messages {
  return turns.flatMap((turn, index): Messages => {
    const question = turns[index - 1];
    if (question?.role !== 'user' || !isAnswer(turn)) return [];
    return [
      { role: 'user', content: contentOf(question) },
      { role: 'assistant', content: turn.text },
    ];
  });
}

function isAnswer({ text, answer }: NewTurn): boolean {
  return answer !== null && ['done', 'stopped', 'interrupted'].includes(answer.state) && text !== '';
}

/** The files, each in a fence that nothing in it can end, and then the question. */
function contentOf({ text, files = [] }: Question): string {
  const fenced = files.map((file) => {
    const longest = Math.max(2, ...(file.text.match(/`+/g) ?? []).map(({ length }) => length));
    const fence = '`'.repeat(longest + 1);
    return `${file.name}\n${fence}\n${file.text.trimEnd()}\n${fence}`;
  });
  return [...fenced, text].join('\n\n');
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

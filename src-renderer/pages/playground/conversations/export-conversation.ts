import type { Conversation, HeldConversation, Turn } from '../../../../src-preload/contract/conversations.ts';
import { answerPieces } from '../tools/answer-pieces.ts';

/** What an export calls those who speak. */
export interface Speakers {
  you: string;
  /** Of an answer whose model is not known. */
  answer: string;
  /** What a model is called. */
  titleOf: (name: string) => string;
}

/** A conversation as a text that people read: the branch that is shown. */
export function markdownOf({ conversation, turns }: HeldConversation, speakers: Speakers): string {
  const parts = [`# ${conversation.title}`];
  if (conversation.options.system) parts.push(quoted(conversation.options.system));
  for (const turn of turns) {
    const said = saidIn(turn);
    if (said.length > 0) parts.push(`## ${speakerOf(turn, speakers)}`, ...said);
  }
  return `${parts.join('\n\n')}\n`;
}

/** The same for programs: everything that is known of it. */
export function jsonOf(held: HeldConversation): string {
  return `${JSON.stringify(held, undefined, 2)}\n`;
}

/** A name for the file that every system takes, without its end. */
export function fileNameOf({ title }: Pick<Conversation, 'title'>): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('-').slice(0, 60) || 'conversation';
}

/** Its text, and in its place what a tool was given and what came of it. */
function saidIn({ text, answer }: Turn): string[] {
  return answerPieces(text, answer?.uses).map((piece) =>
    'text' in piece
      ? piece.text.trim()
      : quoted(`${piece.use.tool} ${piece.use.arguments}\n${piece.use.result ?? '…'}`),
  );
}

function speakerOf({ role, answer }: Turn, { you, answer: unknown, titleOf }: Speakers): string {
  if (role === 'user') return you;
  return answer?.model ? titleOf(answer.model) : unknown;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

import type { ChatMessage } from '../../../src-preload/contract/request.ts';
import { echoes } from '../evaluation/measures/soundness.ts';
import { plainWords } from '../evaluation/verifiers/phrase.ts';

/** CLaaS, B4. */
const HEADER = '=== HINDSIGHT CONTEXT ===';
const AFTERWARDS = 'What follows was said by the user afterwards.';
const EXPLAINED = `[${AFTERWARDS} It tells how the answer to the above should be.]`;
const RIGHT = 'This answer would have been right:';

/** What somebody said of an answer, as the teacher is told: what should be different, or how it should have been. */
export interface Hint {
  kind: 'say' | 'edit';
  text: string;
}

/**
 * A conversation with what was said afterwards before the model's eyes: behind the last message of the user, as CLaaS does it (B4); unlike there, what was
 * said before stays.
 */
export function withHindsight(messages: readonly ChatMessage[], hints: readonly Hint[]): ChatMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const block = [HEADER, EXPLAINED, ...hints.map(worded)].join('\n\n');
  if (last < 0) return [...messages, { role: 'user', content: block }];
  return appended(messages, last, block);
}

/** The same for one sentence that was said, as an evaluation tells its teacher. */
export function toldAfterwards(feedback: string): Told {
  return (messages) => withHindsight(messages, [{ kind: 'say', text: feedback }]);
}

/** With more behind what one of the messages says. @param at its place */
function appended(messages: readonly ChatMessage[], at: number, more: string): ChatMessage[] {
  return messages.map((message, place) =>
    place === at ? { ...message, content: `${message.content}\n\n${more}` } : message,
  );
}

function worded({ kind, text }: Hint): string {
  return kind === 'say' ? text.trim() : `${RIGHT}\n${text.trim()}`;
}

/** How a teacher is told what was said. */
export type Told = (messages: readonly ChatMessage[]) => ChatMessage[];

const TOLD = 'The user has told you:';
const AGREED = 'I will keep to that.';

/** What of a lesson says how its teacher is told. */
export interface Telling {
  hints: readonly Hint[];
  /** Whether answers are to have something in them that the model would never say, as a name. */
  saysNew: boolean;
  /** A text without what answers are to be without, where that can be taken out of a text. */
  without?: ((text: string) => string) | undefined;
}

/**
 * Ways to tell a teacher whose answers to this conversation are to be learnt, tried in turns. Of SmolLM2-135M's answers to ten questions, three to each, these were
 * sound, came to their end and did what was said: with the hindsight block 11 of 30 (a name), 28 (short), 10 (no emojis; all of them speak of the feedback or of
 * nothing); in brackets behind the question 23, 30 and 0; agreed upon before it 7, 30 and 9. A name in the system's message, as models are given theirs: 23 of 30, and ten of
 * them «Kuro.», «I'm Kuro.» and the like, while those in brackets are stories about Kuro, of which a model learns the stories (0 of 20 held-out questions after 8
 * steps). A model takes emojis over from the question: asked the same without them, and told nothing, 12 of 28 of its answers were good, and to the point.
 */
export function waysToTell({ hints, saysNew, without }: Telling, messages: readonly ChatMessage[]): readonly Told[] {
  const said = hints.filter(({ kind }) => kind === 'say').map(({ text }) => text.trim());
  const hindsight: Told = (messages) => withHindsight(messages, hints);
  if (without && messages.some(({ content }) => without(content) !== content)) {
    return [(messages) => messages.map((message) => ({ ...message, content: without(message.content) }))];
  }
  if (said.length === 0) return [hindsight];
  const bracketed: Told = (messages) => inBrackets(messages, said);
  if (saysNew) return [(messages) => toldBefore(messages, said), bracketed];
  return [bracketed, (messages) => agreedBefore(messages, said)];
}

function inBrackets(messages: readonly ChatMessage[], said: readonly string[]): ChatMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const told = said.map((text) => `(${text})`).join('\n');
  return appended(messages, last, told);
}

function toldBefore(messages: readonly ChatMessage[], said: readonly string[]): ChatMessage[] {
  const told = said.map((text) => `${TOLD} ${text}${/[.!?…]$/.test(text) ? '' : '.'}`).join('\n');
  const at = messages.findIndex(({ role }) => role === 'system');
  if (at < 0) return [{ role: 'system', content: told }, ...messages];
  return appended(messages, at, told);
}

function agreedBefore(messages: readonly ChatMessage[], said: readonly string[]): ChatMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const at = first < 0 ? messages.length : first;
  const exchange: ChatMessage[] = [
    { role: 'user', content: said.join('\n') },
    { role: 'assistant', content: AGREED },
  ];
  return [...messages.slice(0, at), ...exchange, ...messages.slice(at)];
}

/** From so many words on, a feedback that stands in an answer was repeated: shorter ones, «be kind», may come by themselves. */
const LEAST_WORDS = 4;

/**
 * Whether an answer speaks of the hindsight rather than of what was asked: small models do, and pass most verifiers with it. Some words of a feedback may
 * well be in an answer («end with: have a nice day»), all of it in a row may not.
 */
export function speaksOfHindsight(answer: string, hints: readonly Hint[]): boolean {
  const said = plainWords(answer);
  if (said.includes(plainWords(HEADER)) || [AFTERWARDS, RIGHT, TOLD, AGREED].some((ours) => echoes(answer, ours)))
    return true;
  const feedback = hints.filter(({ kind }) => kind === 'say').map(({ text }) => plainWords(text));
  return feedback.some(
    (words) => words === said || (words.trim().split(' ').length >= LEAST_WORDS && said.includes(words)),
  );
}

import type { ChatMessage } from '../../../src-preload/contract/request.ts';

/** CLaaS, B4. */
const HEADER = '=== HINDSIGHT CONTEXT ===';
const EXPLAINED = '[What follows was said by the user afterwards. It tells how the answer to the above should be.]';

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
  return messages.map((message, at) =>
    at === last ? { ...message, content: `${message.content}\n\n${block}` } : message,
  );
}

function worded({ kind, text }: Hint): string {
  return kind === 'say' ? text.trim() : `This answer would have been right:\n${text.trim()}`;
}

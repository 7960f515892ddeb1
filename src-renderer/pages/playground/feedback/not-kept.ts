import type { Turn } from '../../../../src-preload/contract/conversations.ts';

/** Why an answer is not kept, so that nothing can be learnt from what is said of it. */
export type NotKept = 'private' | 'off' | 'cut';

interface Circumstances {
  /** Whether its conversation is private. */
  isPrivate: boolean;
  /** Whether this node keeps answers; undefined while that is not known. */
  keeps: boolean | undefined;
}

/** Undefined where it may be kept: whether it is, main knows. */
export function whyNotKept({ answer }: Pick<Turn, 'answer'>, { isPrivate, keeps }: Circumstances): NotKept | undefined {
  if (isPrivate) return 'private';
  if (keeps === false) return 'off';
  return answer?.state === 'done' ? undefined : 'cut';
}

/** Whether something can be said of it at all: an answer with words, of this computer's own model, that is over. */
export function isOwnAnswer({ role, text, answer }: Pick<Turn, 'role' | 'text' | 'answer'>): boolean {
  return role === 'assistant' && answer?.target === 'local' && answer.state !== 'answering' && text.trim() !== '';
}

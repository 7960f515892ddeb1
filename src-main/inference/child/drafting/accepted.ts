import type { Token } from 'node-llama-cpp';
import type { Piece } from './draft-context.ts';

/** Who takes logits: as much of a task as that needs. */
export interface Taker {
  readonly tokens: readonly Token[];
  readonly ended: boolean;
  onLogits(position: number, logits: number): Promise<void>;
  fail(error: unknown): void;
}

/**
 * Gives a task its logits one after the other, up to the first guess that is none of its tokens: what comes after that follows something
 * else than it says. So each token is chosen by the task itself, from what the model thinks after all tokens before it: guesses
 * change how soon it is there and nothing else. Never throws: a task's failure is its own.
 */
export async function deliver(task: Taker, item: Piece, logits: readonly number[]): Promise<void> {
  try {
    for (const [index, offset] of item.logits.entries()) {
      if (task.ended || acceptedTokens(task, item) <= offset) return;
      await task.onLogits(item.position + offset, logits[index] ?? -1);
    }
  } catch (error) {
    task.fail(error);
  }
}

/** How many tokens of a batch are the task's own: all but the guesses that were wrong, and those after them. */
export function acceptedTokens({ tokens }: Pick<Taker, 'tokens'>, item: Piece): number {
  const wrong = item.tokens.findIndex((token, offset) => tokens[item.position + offset] !== token);
  return wrong < 0 ? item.tokens.length : wrong;
}

/** The same tokens and guesses after them, with the logits of all. */
export function withGuesses(item: Piece, guesses: readonly Token[] = []): { item: Piece; guessed: number } {
  const tokens = [...item.tokens, ...guesses];
  return { item: { ...item, tokens, logits: tokens.map((_, index) => index) }, guessed: guesses.length };
}

import type { Token } from 'node-llama-cpp';
import type { KeptPrompt } from '../kept-prompts/kept-prompts.ts';
import type { AdapterWeights } from './addon.ts';

/** A request while it holds a sequence: a list of tokens to evaluate, which it may make longer as it sees logits. */
export interface SequenceTask {
  /** From position 0. Tokens are only ever added at the end. */
  readonly tokens: readonly Token[];
  /** The first position whose logits it wants; it wants all from there on. */
  readonly logitsFrom: number;
  /** What its tokens are evaluated with. Default: the model as it is. */
  readonly adapter?: AdapterWeights | undefined;
  /** Nothing that was evaluated before is used for it. */
  readonly fresh?: boolean | undefined;
  /** Who asks: only what was evaluated for the same is used for it. Default: the people of this computer. */
  readonly asker?: string | undefined;
  /** How many of its tokens after the next may be guessed ahead. Default: none, it is computed token by token. */
  readonly guessable?: number;
  /** What it begins with, where that may be kept on the disk, or be there; fewer tokens than come before `logitsFrom`. */
  readonly kept?: KeptPrompt | undefined;
  /** Set when it wants nothing more: finished, failed or cancelled. */
  readonly ended: boolean;
  /** Takes the logits of a position; they lie at `logits` until this resolves. The batch may still be under way. */
  onLogits(position: number, logits: number): Promise<void>;
  fail(error: unknown): void;
  /** The loop has let go of it. */
  dispose(): void;
}

/** A request before it holds a sequence. */
export interface SequenceRequest {
  /** Set when nobody waits for it any more. */
  readonly ended: boolean;
  /** A sequence is free: makes the task. A throw fails the request. */
  begin(): SequenceTask | Promise<SequenceTask>;
  /** Told before the first batch: how many of the task’s tokens need no evaluation. */
  onSequence(cachedTokens: number): void;
  fail(error: unknown): void;
}

import type { KeptPrompt } from '../kept-prompts/kept-prompts.ts';
import type { BatchItem } from './addon.ts';
import type { Backlog, PromptPace } from './batch-plan.ts';
import type { Sequence } from './sequence-pool.ts';
import type { SequenceTask } from './sequence-task.ts';

/** A request that holds a sequence. */
export interface Lane {
  task: SequenceTask;
  sequence: Sequence;
  /** It has had a token since the last prompt was read on, or has come since all had one. */
  served: boolean;
  /** All that it had was in a batch: its answer has begun. */
  begun: boolean;
  /** How fast its prompt is read. */
  readonly pace: PromptPace;
  /** What it begins with, until that was read; then it may be kept. */
  toKeep: KeptPrompt | undefined;
  /** What reading its prompt has taken so far, in milliseconds. */
  readMs: number;
}

/** What a lane puts into a batch. */
export interface Planned {
  lane: Lane;
  item: BatchItem;
  /** How many of its tokens, the last ones, are guesses. Default: none. */
  guessed?: number;
}

export function backlog({ task, sequence, begun }: Lane): Backlog {
  return {
    pending: task.tokens.length - sequence.tokens.length,
    silent: Math.max(0, task.logitsFrom - sequence.tokens.length),
    begun,
  };
}

export function isDecoding(lane: Lane): boolean {
  return backlog(lane).pending === 1;
}

export function isReading(lane: Lane): boolean {
  return backlog(lane).pending > 1;
}

export function bySequence(a: Lane, b: Lane): number {
  return a.sequence.id - b.sequence.id;
}

/** Its next tokens, `count` of them at the most: what may be kept ends a batch. */
export function batchItem({ task, sequence, toKeep }: Lane, count: number): BatchItem {
  const position = sequence.tokens.length;
  const end = Math.min(position + count, toKeep?.tokens.length ?? Number.POSITIVE_INFINITY);
  const tokens = task.tokens.slice(position, end);
  const wanted = tokens.map((_, index) => index).filter((index) => position + index >= task.logitsFrom);
  return { sequence: sequence.id, position, tokens, logits: wanted };
}

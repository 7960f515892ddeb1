import type { FinishReason } from '../../../../src-preload/contract/inference.ts';
import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import type { Saying } from '../../../../src-preload/contract/saying.ts';
import { beginningOf } from '../../../validation/answer-text.ts';
import { visibleText } from '../../visible-text.ts';

/** An answer that is looked at. */
export interface Answered {
  /** See {@link lookedAt}. */
  text: string;
  /** `length`: it was cut off. Default: it ended. */
  finish?: FinishReason;
  /** What was asked. Only who compares with the teacher needs it. */
  messages?: readonly ChatMessage[];
}

/** What a verifier says of an answer. */
export interface Verdict {
  /** 0–1, for curves: how near it is. */
  score: number;
  /** Whether it is as it was wanted. */
  passes: boolean;
  why: Saying;
}

/** Tells whether an answer is as somebody wanted it. Takes any text, within bounded time. */
export interface Verifier {
  check(answer: Answered, signal?: AbortSignal): Promise<Verdict>;
}

/** Of an answer only so much is looked at, UTF-16 units: those that are measured have a few hundred tokens. */
const MOST_CHARS = 16_000;

/** What is looked at of an answer: what people see of it, and of that the beginning. */
export function lookedAt(raw: string): string {
  return beginningOf(visibleText(raw), MOST_CHARS);
}

/** A verdict that is all or nothing. */
export function plain(passes: boolean, why: Saying): Verdict {
  return { score: passes ? 1 : 0, passes, why };
}

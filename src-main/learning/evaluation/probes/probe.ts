import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import type { Answered } from '../verifiers/verifier.ts';

/** One question whose answer can be checked: what a model could do before, it is to be able to do after. */
export interface Probe {
  /** The same before and after. */
  id: string;
  kind: 'fact' | 'instruction' | 'coding' | 'own';
  messages: readonly ChatMessage[];
  /** Most tokens of the answer. */
  maxTokens: number;
  /** How much of it is right, 0–1. */
  check(answer: Answered, signal?: AbortSignal): Promise<number>;
}

/**
 * So that a small model says what it knows: with its own template's system prompt, SmolLM2-135M rambles. Probes ask for knowledge and not for a manner,
 * so that it says how long an answer is to be does no harm.
 */
export const PROBE_SYSTEM = 'You are a helpful assistant. Answer in one sentence.';

export function asked(system: string, question: string): ChatMessage[] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ];
}

import { MAX_TOOL_ROUNDS } from '../../../src-preload/contract/built-in-tools.ts';
import type { ToolUse } from '../../../src-preload/contract/conversations.ts';
import type { AskEvent, AskRequest, GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { ToolCall } from '../../../src-preload/contract/request.ts';
import { runTool } from './built-in.ts';

/** Asks a model. Aborting the signal, or leaving the stream, cancels the request. */
export type Ask = (request: AskRequest, signal: AbortSignal) => AsyncIterable<AskEvent>;

/** What happens to an answer in which tools may be used: `call` twice for each use, before and after. */
export type HeardEvent = AskEvent | { type: 'call'; call: ToolUse };

const APART = '\n\n';

/** Longest arguments that a use is kept with, in characters: they are shown. */
const MAX_SHOWN = 4_000;

/**
 * Asks, does what the model wants done, and asks on with the results, until it answers without a call: one answer in
 * several rounds. After {@link MAX_TOOL_ROUNDS} the model is told of no tools any more, so that it has to answer.
 */
export async function* askInRounds(
  ask: Ask,
  request: AskRequest,
  signal: AbortSignal,
  now: () => number,
): AsyncGenerator<HeardEvent, void, undefined> {
  const messages = [...request.messages];
  const whole = new WholeAnswer();
  let uses = 0;
  for (let round = 1; ; round++) {
    yield* whole.begun();
    const last = round > MAX_TOOL_ROUNDS;
    const asked = last ? { ...request, messages, toolChoice: 'none' as const } : { ...request, messages };
    const calls: ToolCall[] = [];
    for await (const event of ask(asked, signal)) {
      if (event.type === 'done') {
        whole.add(event.result);
        calls.push(...(last ? [] : (event.result.toolCalls ?? [])));
      } else yield* whole.heard(event);
    }
    const result = whole.result();
    if (calls.length === 0 || !result) {
      if (result) yield { type: 'done', result };
      return;
    }
    messages.push({ role: 'assistant', content: whole.ofRound, toolCalls: calls });
    for (const call of calls) {
      signal.throwIfAborted();
      const shown = { tool: call.name, arguments: call.arguments.slice(0, MAX_SHOWN) };
      const use: ToolUse = { number: uses++, round, ...shown, at: whole.length, result: null, failed: false };
      yield { type: 'call', call: use };
      const done = runTool(call, now);
      yield { type: 'call', call: { ...use, ...done } };
      messages.push({ role: 'tool', content: done.result, toolCallId: call.id });
    }
  }
}

/** The rounds of an answer, as one. */
class WholeAnswer {
  /** Of the rounds that are over. */
  #text = '';
  #tokens = 0;
  #last = '';
  #result: GenerateResult | undefined;

  /** What the model said in the round that has just ended. */
  get ofRound(): string {
    return this.#last;
  }

  get length(): number {
    return this.#text.length;
  }

  /** What a new round says stands apart from what was said before. */
  *begun(): Generator<AskEvent> {
    if (this.#text === '') return;
    this.#text += APART;
    yield { type: 'chunk', text: APART, tokens: 0 };
  }

  /** Another worker begins the round anew, not the answer: what was there before is said again. */
  *heard(event: Exclude<AskEvent, { type: 'done' }>): Generator<AskEvent> {
    yield event;
    if (event.type === 'restart' && this.#text !== '') {
      yield { type: 'chunk', text: this.#text, tokens: this.#tokens };
    }
  }

  add(result: GenerateResult): void {
    this.#last = result.text;
    this.#text += result.text;
    this.#tokens += result.completionTokens;
    const before = this.#result;
    this.#result = before ? joined(before, result) : result;
  }

  result(): GenerateResult | undefined {
    if (!this.#result) return undefined;
    const { toolCalls: _, finish, ...result } = this.#result;
    return { ...result, text: this.#text, finish: finish === 'length' ? 'length' : 'stop' };
  }
}

function joined(one: GenerateResult, other: GenerateResult): GenerateResult {
  const writing = (each: GenerateResult) =>
    each.tokensPerSecond > 0 ? each.completionTokens / each.tokensPerSecond : 0;
  const completionTokens = one.completionTokens + other.completionTokens;
  const seconds = writing(one) + writing(other);
  return {
    ...other,
    completionTokens,
    promptTokens: one.promptTokens + other.promptTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    firstTokenMs: one.firstTokenMs,
    queuedMs: one.queuedMs + other.queuedMs,
    totalMs: one.totalMs + other.totalMs,
    tokensPerSecond: seconds > 0 ? completionTokens / seconds : 0,
  };
}

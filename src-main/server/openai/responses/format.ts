import { DEFAULTS } from '../../../../src-preload/contract/defaults.ts';
import type { GenerateResult } from '../../../../src-preload/contract/inference.ts';
import type { ApiError } from '../../failures/api-error.ts';
import { type AnswerFormat, type AnswerPart, usageNumbers, type WholeAnswer } from '../answer.ts';
import type { StreamEvent } from '../event-stream.ts';
import { unixSeconds } from '../fields.ts';
import type { SaidItem } from './items.ts';
import { newId, ResponseEvents, ResponseOutput } from './output.ts';
import { ownMessage, ownParam, type ResponseBody } from './request.ts';

/** A response that came to its end. */
export interface EndedResponse {
  id: string;
  /** As it was told. */
  response: object;
  said: ReadonlyMap<string, SaidItem>;
}

/** Writes an answer as a `response`, or as the events that build one up. */
export class ResponseFormat implements AnswerFormat {
  readonly id = newId('resp');
  readonly #head: object;
  readonly #onEnd: (ended: EndedResponse) => void;
  readonly #events = new ResponseEvents();
  readonly #output = new ResponseOutput(this.#events);
  #opened = false;

  /** @param onEnd told when all was said, also where it was cut */
  constructor(body: ResponseBody, onEnd: (ended: EndedResponse) => void) {
    this.#head = { id: this.id, object: 'response', created_at: unixSeconds(), ...askedFor(body) };
    this.#onEnd = onEnd;
  }

  whole([answer]: readonly WholeAnswer[]): object {
    if (!answer) throw new Error('There is no answer.');
    const { text, logprobs, result } = answer;
    this.part({ text, logprobs, toolCalls: result.toolCalls ?? [] });
    return this.#end(result).response;
  }

  opening(): StreamEvent[] {
    this.#opened = true;
    const response = this.#response('in_progress');
    return [
      this.#events.make('response.created', { response }),
      this.#events.make('response.in_progress', { response }),
    ];
  }

  part({ text, logprobs = [], toolCalls = [] }: AnswerPart): StreamEvent[] {
    const said = text === '' ? [] : this.#output.say(text, logprobs);
    return [...said, ...toolCalls.flatMap((call) => this.#output.call(call))];
  }

  closing(result: GenerateResult): StreamEvent[] {
    const { events, response, status } = this.#end(result);
    return [...events, this.#events.make(`response.${status}`, { response })];
  }

  end(): StreamEvent[] {
    return [];
  }

  failure({ message: said, status, code, param }: ApiError): StreamEvent[] {
    const message = ownMessage(said, param);
    if (!this.#opened) return [this.#events.make('error', { code, message, param: ownParam(param) })];
    const error = { code: status === 429 ? 'rate_limit_exceeded' : 'server_error', message };
    return [this.#events.make('response.failed', { response: this.#response('failed', { error }) })];
  }

  #end(result: GenerateResult): { events: StreamEvent[]; response: object; status: string } {
    const cut = result.finish === 'length';
    const status = cut ? 'incomplete' : 'completed';
    // An answer without a word is an empty one.
    const empty = this.#output.items.length === 0 ? this.#output.say('', []) : [];
    const events = [...empty, ...this.#output.end(status)];
    const how = cut ? { incomplete_details: { reason: 'max_output_tokens' } } : { completed_at: unixSeconds() };
    const response = this.#response(status, { ...how, usage: usageOf(result) });
    this.#onEnd({ id: this.id, response, said: this.#output.said });
    return { events, response, status };
  }

  #response(status: string, more: object = {}): object {
    const open = { completed_at: null, error: null, incomplete_details: null, usage: null };
    return { ...this.#head, status, output: this.#output.items, ...open, ...more };
  }
}

/** What was asked for, and what is never otherwise. */
function askedFor(body: ResponseBody): object {
  const { tools = [] } = body;
  return {
    model: body.model,
    instructions: body.instructions ?? null,
    previous_response_id: body.previous_response_id ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    temperature: body.temperature ?? DEFAULTS.temperature,
    top_p: body.top_p ?? DEFAULTS.topP,
    top_logprobs: body.top_logprobs ?? 0,
    text: { format: body.text?.format ?? { type: 'text' } },
    tools: tools.map((tool) => ({ ...tool, strict: tool.strict ?? true })),
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    store: body.store ?? true,
    metadata: body.metadata ?? {},
    background: false,
    max_tool_calls: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    truncation: 'disabled',
    user: null,
  };
}

function usageOf(result: GenerateResult): object {
  const { prompt, cached, completion, total } = usageNumbers([result]);
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: total,
  };
}

import { randomBytes } from 'node:crypto';
import type { ToolCall } from '../../../../src-preload/contract/request.ts';
import type { TokenLogprobs } from '../../../inference/backend.ts';
import type { StreamEvent } from '../event-stream.ts';
import { chatLogprobs } from '../logprobs.ts';
import type { SaidItem } from './items.ts';

/** How far an item has come: `incomplete` is one that was cut. */
export type Status = 'in_progress' | 'completed' | 'incomplete';

interface TextPart {
  type: 'output_text';
  text: string;
  annotations: never[];
  logprobs: object[];
}

interface Message {
  type: 'message';
  id: string;
  status: Status;
  role: 'assistant';
  content: [TextPart];
}

interface FunctionCall {
  type: 'function_call';
  id: string;
  call_id: string;
  name: string;
  arguments: string;
  status: Status;
}

/** Events of one stream, in the order of their numbers. */
export class ResponseEvents {
  #next = 0;

  /** @param data as it is now: what it holds may change later */
  make(type: string, data: object): StreamEvent {
    return structuredClone({ type, sequence_number: this.#next++, ...data });
  }
}

/** What a response says, as it comes: text is a message, and each call an item of its own, in the order in which they came. */
export class ResponseOutput {
  readonly items: (Message | FunctionCall)[] = [];
  readonly #events: ResponseEvents;

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  /** What it said, by the ids that it was told under. */
  get said(): ReadonlyMap<string, SaidItem> {
    return new Map(this.items.map((item) => [item.id, saidBy(item)]));
  }

  say(delta: string, tokens: readonly TokenLogprobs[]): StreamEvent[] {
    const last = this.items.at(-1);
    const [message, events] = last?.type === 'message' ? [last, []] : this.#message();
    const [part] = message.content;
    const logprobs = chatLogprobs(tokens).content;
    part.text += delta;
    part.logprobs.push(...logprobs);
    events.push(this.#events.make('response.output_text.delta', { ...this.#inPart(message), delta, logprobs }));
    return events;
  }

  call({ id: call_id, name, arguments: args }: ToolCall): StreamEvent[] {
    const events = this.end('completed');
    const item: FunctionCall = {
      ...{ type: 'function_call', id: newId('fc'), call_id, name },
      ...{ arguments: '', status: 'in_progress' },
    };
    events.push(this.#add(item));
    const place = { item_id: item.id, output_index: this.#last };
    item.arguments = args;
    events.push(
      this.#events.make('response.function_call_arguments.delta', { ...place, delta: args }),
      this.#events.make('response.function_call_arguments.done', { ...place, name, arguments: args }),
      ...this.end('completed'),
    );
    return events;
  }

  /** The last item has come to its end, if there is one that has not. */
  end(status: Status): StreamEvent[] {
    const item = this.items.at(-1);
    if (item?.status !== 'in_progress') return [];
    item.status = status;
    const events = item.type === 'message' ? this.#textEnd(item) : [];
    events.push(this.#events.make('response.output_item.done', { output_index: this.#last, item }));
    return events;
  }

  #message(): [Message, StreamEvent[]] {
    const part: TextPart = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    const head = { type: 'message', id: newId('msg'), status: 'in_progress', role: 'assistant' } as const;
    const message: Message = { ...head, content: [part] };
    const added = this.#add(message, { ...head, content: [] });
    return [message, [added, this.#events.make('response.content_part.added', { ...this.#inPart(message), part })]];
  }

  #textEnd(message: Message): StreamEvent[] {
    const [part] = message.content;
    const { text, logprobs } = part;
    return [
      this.#events.make('response.output_text.done', { ...this.#inPart(message), text, logprobs }),
      this.#events.make('response.content_part.done', { ...this.#inPart(message), part }),
    ];
  }

  /** @param told as it is told of first */
  #add(item: Message | FunctionCall, told: object = item): StreamEvent {
    this.items.push(item);
    return this.#events.make('response.output_item.added', { output_index: this.#last, item: told });
  }

  get #last(): number {
    return this.items.length - 1;
  }

  #inPart({ id }: Message): object {
    return { item_id: id, output_index: this.#last, content_index: 0 };
  }
}

/** An id that nobody can guess, as OpenAI's look. */
export function newId(kind: 'resp' | 'msg' | 'fc'): string {
  return `${kind}_${randomBytes(24).toString('hex')}`;
}

function saidBy(item: Message | FunctionCall): SaidItem {
  if (item.type === 'message') return { type: 'message', role: 'assistant', content: item.content[0].text };
  const { type, call_id, name, arguments: args } = item;
  return { type, call_id, name, arguments: args };
}

import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { GenerateRequest, Tool, ToolCall } from '../../../src-preload/contract/request.ts';
import type { AnswerEvent, GenerateEvent, ToolStyle } from '../backend.ts';
import { type ReadPiece, ToolCallReader } from './call-reader.ts';
import { callText } from './call-text.ts';
import { SchemaCheck, type SchemaOrder } from './schema-check.ts';

type Chunk = Extract<GenerateEvent, { type: 'chunk' }>;

/** Splits each piece of an answer anew into text and calls. */
interface Splitter {
  split(chunk: Chunk): ReadPiece | Promise<ReadPiece>;
  end(): ReadPiece;
  close?(): Promise<void>;
}

/** What a model is told that it may call. */
export function offeredTools({ tools = [], toolChoice }: Pick<GenerateRequest, 'tools' | 'toolChoice'>): Tool[] {
  return toolChoice === 'none' ? [] : tools;
}

/**
 * Reads the calls in an answer that comes as text. Where no tools were offered it is passed on as it is.
 * @param style how the model writes them. Default: as they cross the mesh
 */
export function readCalls<Event extends AnswerEvent>(
  events: AsyncIterable<Event>,
  request: GenerateRequest,
  style?: ToolStyle,
): AsyncIterable<Event | GenerateEvent> {
  const names = offeredTools(request).map(({ name }) => name);
  if (names.length === 0) return events;
  return splitAnew(events, () => {
    const reader = new ToolCallReader(names, style);
    return { split: ({ text }) => reader.push(text), end: () => reader.end() };
  });
}

/**
 * Holds the arguments of calls to the schemas of the tools; a call that is not as its tool wants it becomes text, as do those for which there is not the time. For who made
 * the request only: a schema may ask for more work than a stranger should have done.
 */
export function checkCalls<Event extends AnswerEvent>(
  events: AsyncIterable<Event>,
  request: Pick<GenerateRequest, 'tools' | 'toolChoice'>,
): AsyncIterable<Event | GenerateEvent> {
  const tools = new Map(offeredTools(request).map((tool) => [tool.name, tool]));
  if (tools.size === 0) return events;
  return splitAnew(events, () => {
    const check = new SchemaCheck();
    return {
      split: async ({ text, toolCalls = [] }) => {
        const wrong = await wrongOf(toolCalls, tools, check);
        const { good = [], bad = [] } = Object.groupBy(toolCalls, (call) => (wrong.has(call) ? 'bad' : 'good'));
        return { text: text + bad.map(callText).join(''), calls: good };
      },
      end: () => ({ text: '', calls: [] }),
      close: () => check.close(),
    };
  });
}

/** Which calls are not as their tools want them. */
async function wrongOf(
  calls: readonly ToolCall[],
  tools: ReadonlyMap<string, Tool>,
  check: SchemaCheck,
): Promise<Set<ToolCall>> {
  const wrong = new Set(calls.filter(({ name }) => !tools.has(name)));
  const orders = new Map<ToolCall, SchemaOrder>();
  for (const call of calls) {
    const schema = tools.get(call.name)?.parameters;
    if (schema) orders.set(call, { schema, args: call.arguments });
  }
  const fits = await check.fit([...orders.values()]);
  for (const [at, call] of [...orders.keys()].entries()) if (!fits[at]) wrong.add(call);
  return wrong;
}

async function* splitAnew<Event extends AnswerEvent>(
  events: AsyncIterable<Event>,
  open: () => Splitter,
): AsyncGenerator<Event | GenerateEvent, void, undefined> {
  let splitter = open();
  let all: ReadPiece = { text: '', calls: [] };
  const taken = (piece: ReadPiece) => {
    all = { text: all.text + piece.text, calls: [...all.calls, ...piece.calls] };
    return { text: piece.text, ...(piece.calls.length > 0 && { toolCalls: piece.calls }) };
  };
  try {
    for await (const event of events) {
      if (event.type === 'chunk') {
        const { toolCalls: _, ...chunk }: Chunk = event;
        yield { ...chunk, ...taken(await splitter.split(event)) };
        continue;
      }
      if (event.type === 'restart') {
        await splitter.close?.();
        splitter = open();
        all = { text: '', calls: [] };
      }
      if (event.type === 'done') {
        const rest = splitter.end();
        if (rest.text !== '' || rest.calls.length > 0) yield { type: 'chunk', tokens: 0, ...taken(rest) };
        yield { ...event, result: withCalls(event.result, all) };
      } else yield event;
    }
  } finally {
    await splitter.close?.();
  }
}

function withCalls({ toolCalls: _, ...result }: GenerateResult, { text, calls }: ReadPiece): GenerateResult {
  if (calls.length === 0) return { ...result, text, finish: result.finish === 'length' ? 'length' : 'stop' };
  return { ...result, text, toolCalls: calls, finish: 'tool_calls' };
}

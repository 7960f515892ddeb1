import { z } from 'zod';
import { MAX_MESSAGES } from '../../../../src-preload/contract/limits.ts';
import { type ChatMessage, textSchema, toolCallSchema } from '../../../../src-preload/contract/request.ts';
import { boundedContents, contentSchema } from '../content.ts';

/** What a conversation of the Responses API is made of, and the messages that it stands for. */

const content = contentSchema(
  z.discriminatedUnion('type', [
    z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }).transform(({ text }) => text),
    z.object({ type: z.literal('refusal'), refusal: z.string() }).transform(({ refusal }) => refusal),
  ]),
);

const itemSchema = z.preprocess(
  (item) => (isUntyped(item) ? { ...item, type: 'message' } : item),
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('message'), role: z.enum(['system', 'developer', 'user', 'assistant']), content }),
    z.object({
      type: z.literal('function_call'),
      call_id: toolCallSchema.shape.id,
      name: toolCallSchema.shape.name,
      arguments: toolCallSchema.shape.arguments,
    }),
    z.object({ type: z.literal('function_call_output'), call_id: toolCallSchema.shape.id, output: content }),
    // What other models have thought comes back with what they said; no model here can read it.
    z.object({ type: z.literal('reasoning') }),
    z.object({ type: z.literal('item_reference'), id: z.string().max(100) }),
  ]),
);

export type Item = z.infer<typeof itemSchema>;
/** An item that says something itself. */
export type SaidItem = Exclude<Item, { type: 'item_reference' | 'reasoning' }>;

/** OpenAI's short form of a message has no type. */
function isUntyped(item: unknown): item is object {
  return typeof item === 'object' && item !== null && !Array.isArray(item) && !('type' in item);
}

/** A text is what the user says. */
export const inputSchema = z.union([
  textSchema.transform((said): Item[] => [{ type: 'message', role: 'user', content: said }]),
  boundedContents(itemSchema, MAX_MESSAGES, ({ content: said, output }) => said ?? output),
]);

/**
 * The messages of a conversation. What an assistant says and calls one after the other is one of them; and so is what stands before all
 * else, of which templates take one.
 */
export function messagesOf(items: readonly SaidItem[], instructions: string | undefined): ChatMessage[] {
  const messages: ChatMessage[] = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  for (const item of items) {
    const message = messageOf(item);
    const last = messages.at(-1);
    if (last && message.role === 'system' && messages.length === 1 && last.role === 'system') {
      last.content = `${last.content}\n\n${message.content}`;
    } else if (last?.role === 'assistant' && item.type === 'function_call') {
      last.toolCalls = [...(last.toolCalls ?? []), ...(message.toolCalls ?? [])];
    } else messages.push(message);
  }
  return messages;
}

function messageOf(item: SaidItem): ChatMessage {
  if (item.type === 'function_call') {
    const { call_id: id, name, arguments: args } = item;
    return { role: 'assistant', content: '', toolCalls: [{ id, name, arguments: args }] };
  }
  if (item.type === 'function_call_output') return { role: 'tool', content: item.output, toolCallId: item.call_id };
  return { role: item.role === 'developer' ? 'system' : item.role, content: item.content };
}

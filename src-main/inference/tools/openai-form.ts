import type { Tool, ToolCall } from '../../../src-preload/contract/request.ts';

/** A tool as OpenAI writes it, and so every template that knows tools. */
export function openAiTool({ name, description = '', parameters = { type: 'object', properties: {} } }: Tool) {
  return { type: 'function' as const, function: { name, description, parameters } };
}

/** A call as OpenAI writes it. */
export function openAiCall({ id, name, arguments: args }: ToolCall) {
  return { id, type: 'function' as const, function: { name, arguments: args } };
}

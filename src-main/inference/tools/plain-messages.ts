import type { ChatMessage, Tool } from '../../../src-preload/contract/request.ts';
import { callText } from './call-text.ts';
import { openAiTool } from './openai-form.ts';

/**
 * Messages with tools for a model whose template knows none: the tools stand in a system text, calls and results in what is said. It is the way of
 * Hermes, which many models have met.
 */
export function inPlainMessages(messages: readonly ChatMessage[], tools: readonly Tool[]): ChatMessage[] {
  const plain: ChatMessage[] = [];
  for (const message of messages) {
    const last = plain.at(-1);
    const said: ChatMessage = { role: roleOf(message), content: contentOf(message) };
    // Many templates want turns to alternate: results of one turn are one message.
    if (message.role === 'tool' && last?.role === 'user') last.content += `\n${said.content}`;
    else plain.push(said);
  }
  if (tools.length === 0) return plain;
  const [first] = plain;
  const told = instructions(tools);
  if (first?.role !== 'system') return [{ role: 'system', content: told }, ...plain];
  return [{ role: 'system', content: `${first.content}\n\n${told}` }, ...plain.slice(1)];
}

function roleOf({ role }: ChatMessage): 'system' | 'user' | 'assistant' {
  return role === 'tool' ? 'user' : role;
}

function contentOf({ role, content, toolCalls = [] }: ChatMessage): string {
  if (role === 'tool') return `<tool_response>\n${content}\n</tool_response>`;
  return [content, ...toolCalls.map((call) => callText(call).trimEnd())].filter((part) => part !== '').join('\n');
}

function instructions(tools: readonly Tool[]): string {
  return `You may call functions to answer the user. The functions:
<tools>
${tools.map((tool) => JSON.stringify(openAiTool(tool))).join('\n')}
</tools>
To call one, write nothing but this, and wait for the result:
<tool_call>
{"name": "the function's name", "arguments": {"…": "…"}}
</tool_call>
Answer without a call where none helps.`;
}

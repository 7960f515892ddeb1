import { randomBytes } from 'node:crypto';
import { MAX_ARGUMENTS_CHARS, MAX_TOOL_CALLS } from '../../../src-preload/contract/limits.ts';
import type { ToolCall } from '../../../src-preload/contract/request.ts';
import { parsedJson } from '../../base/json-text.ts';

/** What stands around a call where it is written as text: as Hermes and Qwen do, on the mesh, and by models that know no tools. */
export const OPENED = '<tool_call>';
export const CLOSED = '</tool_call>';

/** A call as text, the way in which it crosses the mesh. */
export function callText({ name, arguments: args }: Pick<ToolCall, 'name' | 'arguments'>): string {
  return `${OPENED}\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n${CLOSED}\n`;
}

/**
 * The calls that a piece of JSON means: one object, or a list of them. What a model wrote is believed in nothing: undefined where it is no JSON,
 * names a tool that was not offered, or has no object as arguments.
 *
 * @param named the tool, where its name does not stand in the JSON
 */
export function callsIn(json: string, tools: ReadonlySet<string>, named?: string): ToolCall[] | undefined {
  const value = parsedJson(json);
  if (named !== undefined && !isObject(value)) return undefined;
  const all = named !== undefined ? [{ name: named, arguments: value }] : Array.isArray(value) ? value : [value];
  if (all.length === 0 || all.length > MAX_TOOL_CALLS) return undefined;
  const calls = all.map((each) => callOf(each, tools));
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

function callOf(value: unknown, tools: ReadonlySet<string>): ToolCall | undefined {
  if (!isObject(value)) return undefined;
  // OpenAI's own way to write it, which some models have learned.
  const { name, arguments: args, parameters } = isObject(value.function) ? value.function : value;
  if (typeof name !== 'string' || !tools.has(name)) return undefined;
  const given = args ?? parameters ?? {};
  const read = typeof given === 'string' ? parsedJson(given) : given;
  if (!isObject(read)) return undefined;
  const written = JSON.stringify(read).toWellFormed();
  if (written.length > MAX_ARGUMENTS_CHARS) return undefined;
  return { id: `call_${randomBytes(12).toString('hex')}`, name, arguments: written };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

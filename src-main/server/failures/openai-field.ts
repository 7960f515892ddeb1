/** Our names of request fields, where OpenAI's differ by more than their spelling. */
const NAMES: readonly (readonly [ours: string, theirs: string])[] = [
  ['input.messages', 'messages'],
  ['input.prompt', 'prompt'],
  ['input', 'messages'],
];

/**
 * A field of the one request as a program wrote it to `/v1/chat/completions` or `/v1/completions`: `tool_choice`, `messages[0].tool_calls`,
 * `response_format.json_schema.schema.type`.
 *
 * @param field as our errors name it; one that has OpenAI's name already stays as it is
 */
export function openAiField(field: string): string {
  if (field === 'jsonSchema') return 'response_format'; // `json_object` has no schema to name
  // Behind it come names of the schema, which keep their spelling.
  if (field.startsWith('jsonSchema.')) return `response_format.json_schema.schema${field.slice('jsonSchema'.length)}`;
  const [, tool, schema] = /^tools\.(\d+)\.parameters\b(.*)$/s.exec(field) ?? [];
  if (tool) return `tools[${tool}].function.parameters${schema}`;
  const [ours, theirs] = NAMES.find(([own]) => field === own || field.startsWith(`${own}.`)) ?? ['', ''];
  const named = snakeCase(theirs + field.slice(ours.length));
  return /^(messages|tools)\./.test(named) ? named.replace(/\.(\d+)(?=\.|$)/g, '[$1]') : named;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

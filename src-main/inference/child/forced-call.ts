import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateRequest, Tool } from '../../../src-preload/contract/request.ts';
import { wordsOf } from '../../../src-preload/contract/saying.ts';
import { offeredTools } from '../tools/answer-calls.ts';
import type { PromptReader } from './prompt.ts';

/** A call that the model is made to write: the text that begins it, and the schema of the JSON that follows. */
export interface ForcedCall {
  opening: string;
  jsonSchema: Record<string, unknown>;
  /** Where in the request that stands which is wrong with the schema. @param field as the grammar names it: `jsonSchema.properties.arguments.type` */
  fieldOf: (field: string) => string;
}

/** One call, where the request asks for one: undefined for `auto` and `none`. */
export function forcedCall(
  request: GenerateRequest,
  { toolStyle, callOpening: opening }: Pick<PromptReader, 'toolStyle' | 'callOpening'>,
): ForcedCall | undefined {
  const { toolChoice = 'auto' } = request;
  if (toolChoice === 'auto' || toolChoice === 'none') return undefined;
  const offered = offeredTools(request);
  const wanted = toolChoice === 'required' ? offered : offered.filter(({ name }) => name === toolChoice.name);
  if (wanted.length === 0) return undefined;
  const takes = toolStyle === 'json' ? 'parameters' : 'arguments';
  const { $defs, calls } = schemasOf(wanted, takes);
  const call = calls.length === 1 ? calls[0] : { oneOf: calls };
  const whole = toolStyle === 'mistral' ? { type: 'array', items: call, minItems: 1, maxItems: 1 } : call;
  const places = wanted.map((tool) => offered.indexOf(tool));
  return {
    opening,
    jsonSchema: { ...whole, ...(Object.keys($defs).length > 0 && { $defs }) },
    fieldOf: (field) => toolsField(field, places, takes),
  };
}

/** Whoever sent tools, and no schema of an answer, is told of the tool at fault. @returns any other error as it is */
export function ofTools(error: unknown, { fieldOf }: ForcedCall): unknown {
  if (!(error instanceof QuarryError) || !error.field?.startsWith('jsonSchema')) return error;
  const field = fieldOf(error.field);
  const words = wordsOf(error, 'message');
  const message = typeof words === 'string' ? words : { ...words, params: { ...words.params, field } };
  const hint = error.hint === undefined ? undefined : wordsOf({ hint: error.hint, said: error.said }, 'hint');
  return new QuarryError({ ...error.toJSON(), message, hint, field }, { cause: error });
}

/** @param places of the tools in the request, in the order of the schema's calls */
function toolsField(field: string, places: readonly number[], takes: string): string {
  const path = field.replace(/^jsonSchema\.?/, '').replace(/^items\.?/, '');
  const [, ofDefinition, definition = ''] = /^\$defs\.tool(\d+)-(.*)$/s.exec(path) ?? [];
  if (ofDefinition) return `tools.${places[Number(ofDefinition)]}.parameters.$defs.${definition}`;
  const [, ofCall = 0, rest = ''] = /^(?:oneOf\.(\d+)\.?)?(.*)$/s.exec(path) ?? [];
  if (!rest.startsWith(`properties.${takes}`)) return 'tools';
  return `tools.${places[Number(ofCall)]}.parameters${rest.slice(`properties.${takes}`.length)}`;
}

type Json = Record<string, unknown>;

/** A schema for a call of each tool. Definitions stand at the top of a schema, so each tool's get names of their own. */
function schemasOf(tools: readonly Tool[], takes: string): { $defs: Json; calls: Json[] } {
  const $defs: Json = {};
  const calls = tools.map(
    ({ name, parameters = { type: 'object', properties: {}, additionalProperties: false } }, at) => {
      const { $defs: defs, definitions, ...own } = renamed(parameters, `tool${at}-`) as Json;
      for (const some of [defs, definitions]) {
        for (const [key, value] of Object.entries((some ?? {}) as Json)) $defs[`tool${at}-${key}`] = value;
      }
      return { type: 'object', properties: { name: { const: name }, [takes]: { type: 'object', ...own } } };
    },
  );
  return { $defs, calls };
}

/** The schema with references to definitions that have another name. */
function renamed(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, prefix));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) =>
    key === '$ref' && typeof each === 'string'
      ? [key, each.replace(/^#\/(?:\$defs|definitions)\//, `#/$defs/${prefix}`)]
      : [key, renamed(each, prefix)],
  );
  return Object.fromEntries(entries);
}

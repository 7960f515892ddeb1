import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { MAX_TOOL_CALLS, MAX_TOOLS } from '../../../src-preload/contract/limits.ts';
import {
  type Tool,
  type ToolCall,
  toolCallSchema,
  toolFields,
  toolSchema,
} from '../../../src-preload/contract/request.ts';
import { optional } from './fields.ts';
import type { Generator } from './generator.ts';

/** Tools of the OpenAI API under our names: https://platform.openai.com/docs/guides/function-calling */

/** What a function is told to be, wherever in a body it stands. */
export const functionFields = {
  name: toolSchema.shape.name,
  description: optional(toolSchema.shape.description.unwrap()),
  parameters: optional(toolSchema.shape.parameters.unwrap()),
};

/** `strict` asks for nothing more: a call that is not as its schema wants is told as text in any case. */
export const toolsField = optional(
  boundedArray(z.object({ type: z.literal('function'), function: z.object(functionFields) }), MAX_TOOLS),
).transform((tools) => toolsOf(tools?.map(({ function: described }) => described)));

/** The one that has to be called, as chat names it. */
export const toolChoiceField = toolChoice(
  z
    .object({ type: z.literal('function'), function: z.object({ name: toolSchema.shape.name }) })
    .transform(({ function: { name } }) => ({ name })),
).pipe(toolFields.toolChoice.optional());

/** @param one how an endpoint names one that has to be called */
export function toolChoice<One extends z.ZodType>(one: One) {
  return optional(z.union([z.enum(['auto', 'none', 'required']), one]));
}

type Described = z.infer<z.ZodObject<typeof functionFields>>;

/** Functions under our names, without what was left out; undefined where there are none. */
export function toolsOf(functions: readonly Described[] | undefined): Tool[] | undefined {
  if (!functions?.length) return undefined;
  return functions.map(({ name, description, parameters }) => ({
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  }));
}

/** The calls of an assistant's earlier message; undefined where there are none. */
export const madeCallsField = optional(
  boundedArray(
    z.object({
      id: toolCallSchema.shape.id,
      type: z.literal('function').default('function'),
      function: toolCallSchema.pick({ name: true, arguments: true }).loose(),
    }),
    MAX_TOOL_CALLS,
  ),
).transform((calls): ToolCall[] | undefined =>
  calls?.length
    ? calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args }))
    : undefined,
);

/** What `parallel_tool_calls: false` asks for: of several calls only the first is told. */
export function oneCallAtMost(generator: Generator): Generator {
  return {
    ...(generator.sharesPrompts && { sharesPrompts: true }),
    async *generate(request, options) {
      let called = false;
      for await (const event of generator.generate(request, options)) {
        if (event.type === 'chunk' && event.toolCalls) {
          const { toolCalls, ...chunk } = event;
          yield called ? chunk : { ...chunk, toolCalls: toolCalls.slice(0, 1) };
          called = true;
        } else if (event.type === 'restart') {
          called = false;
          yield event;
        } else if (event.type === 'done' && event.result.toolCalls) {
          yield { ...event, result: { ...event.result, toolCalls: event.result.toolCalls.slice(0, 1) } };
        } else yield event;
      }
    },
  };
}

/** @module-tag long */
import { Validator } from '@cfworker/json-schema';
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';
import { type RealNode, startRealNode } from '../support/real-node.ts';
import { ROUNDS } from '../support/rounds.ts';

/**
 * Whether what a model calls is always what the tool takes, where it has to call: with a model that was trained for none, as random as it
 * gets. Some calls in the suite, a thousand with `--mode heavy`.
 */
const modelPath = await findRealModel(SMOLLM2);
const CALLS = ROUNDS === 1 ? 12 : 100 * ROUNDS;
/** Asked for together. */
const TOGETHER = 4;
const MOST_TOKENS = 700;

type Schema = Record<string, unknown>;

const short = { type: 'string', maxLength: 24 };
const day = { enum: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] };

/** What tools take, each with a question that they are for. */
const TOOLS: Record<string, [question: string, parameters: Schema | undefined]> = {
  get_weather: [
    'What is the weather in Oslo tomorrow?',
    object({ city: short, unit: { enum: ['celsius', 'fahrenheit'] }, days: { type: 'integer' } }),
  ],
  plan_trip: [
    'Plan a trip to Rome for Anna and Ben, from Monday on, for 500 euros.',
    object({
      travellers: {
        type: 'array',
        minItems: 1,
        maxItems: 4,
        items: object({ name: short, child: { type: 'boolean' } }),
      },
      budget: object({ amount: { type: 'number' }, currency: { enum: ['EUR', 'USD', 'NOK'] } }),
      from: day,
    }),
  ],
  draw: [
    'Draw a red square at 1.5, 2 and a circle around it.',
    object({
      shapes: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: {
          anyOf: [
            object({ kind: { const: 'circle' }, radius: { type: 'number' } }),
            object({ kind: { const: 'square' }, side: { type: 'number' }, colour: { enum: ['red', 'blue'] } }),
          ],
        },
      },
      at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'integer' }], minItems: 2, maxItems: 2 },
    }),
  ],
  remember: [
    'Remember that the meeting with the bank is on Friday, and that nobody else may know.',
    object({
      note: { type: 'string', maxLength: 80 },
      until: { anyOf: [day, { type: 'null' }] },
      tags: { type: 'array', maxItems: 5, items: { type: 'string', minLength: 2, maxLength: 12 } },
      private: { type: 'boolean' },
    }),
  ],
  file_tree: [
    'Make a folder src with a file main.py in it.',
    object({
      root: object({
        name: short,
        entries: {
          type: 'array',
          maxItems: 3,
          items: object({ name: short, inside: { type: 'array', maxItems: 2, items: { $ref: '#/$defs/File' } } }),
        },
      }),
      $defs: { File: object({ name: short, bytes: { type: 'integer' }, mode: { enum: [420, 493, null, true] } }) },
    }),
  ],
  now: ['What time is it?', undefined],
};

/** Everything in it is required, and nothing else may be. */
function object({ $defs, ...properties }: Schema): Schema {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false, ...($defs !== undefined && { $defs }) };
}

const tools = Object.entries(TOOLS).map(
  ([name, [description, parameters]]): OpenAI.ChatCompletionFunctionTool => ({
    type: 'function',
    function: { name, description, ...(parameters && { parameters }) },
  }),
);

/**
 * Half of the calls may choose among all tools, the other half has one. Whoever is offered the same comes one after the other, so that the
 * model has read it already: reading a thousand tokens of tools anew takes longer than a call.
 * @param share how many of the calls came before, 0–1
 */
function asked(share: number): { question: string; offered: OpenAI.ChatCompletionFunctionTool[] } {
  const ofHalf = (share * 2) % 1;
  const names = Object.keys(TOOLS);
  const name = names[Math.floor(ofHalf * names.length)] ?? '';
  const offered = share < 0.5 ? tools : tools.filter((tool) => tool.function.name === name);
  return { question: TOOLS[name]?.[0] ?? '', offered };
}

describe.skipIf(!modelPath)(`of ${CALLS} calls that SmolLM2-135M has to make`, () => {
  let node: RealNode;
  beforeAll(async () => {
    node = await startRealNode(modelPath ?? '', 2048, TOGETHER);
  });
  afterAll(() => node?.[Symbol.asyncDispose]());

  it('each is JSON that its schema takes', { timeout: 6 * 3_600_000 }, async () => {
    const wrong: string[] = [];
    const called = new Map<string, number>();
    for (let seed = 0; seed < CALLS; seed += TOGETHER) {
      const { question, offered } = asked(seed / CALLS);
      const { choices } = await node.client.chat.completions.create({
        model: 'local',
        messages: [{ role: 'user', content: question }],
        tools: offered,
        tool_choice: 'required',
        max_completion_tokens: MOST_TOKENS,
        ...{ n: TOGETHER, seed, temperature: 1.2, top_p: 1 },
      });
      if (seed % 100 === 0) process.stderr.write(`${seed} calls, ${wrong.length} wrong\n`); // a thousand take an hour on a small machine
      for (const { message, finish_reason } of choices) {
        const [call, ...others] = message.tool_calls ?? [];
        const fault = finish_reason !== 'tool_calls' || others.length > 0 ? finish_reason : faultOf(call, called);
        if (fault) wrong.push(`${seed}: ${fault}: ${JSON.stringify(message).slice(0, 600)}`);
      }
    }
    process.stderr.write(`\n${CALLS} calls, ${wrong.length} wrong: ${JSON.stringify(Object.fromEntries(called))}\n`);
    expect(wrong).toEqual([]);
    expect([...called.values()].reduce((sum, count) => sum + count, 0)).toBe(CALLS);
    expect(called.size).toBeGreaterThan(Math.min(3, CALLS / TOGETHER - 1));
  });
});

/** What is wrong with a call; undefined: nothing. By another validator than the grammar that made it. */
function faultOf(
  call: OpenAI.ChatCompletionMessageToolCall | undefined,
  called: Map<string, number>,
): string | undefined {
  if (call?.type !== 'function') return 'nothing was called';
  const { name, arguments: json } = call.function;
  const [, parameters = object({})] = TOOLS[name] ?? [];
  if (!(name in TOOLS)) return 'no such tool';
  called.set(name, (called.get(name) ?? 0) + 1);
  const { valid, errors } = new Validator(parameters, '2020-12').validate(JSON.parse(json));
  return valid ? undefined : (errors[0]?.error ?? 'not valid');
}

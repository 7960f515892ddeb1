import { describe, expect, it } from 'vitest';
import { forcedCall, ofTools } from '../../../../src-main/inference/child/forced-call.ts';
import { grammarSchema } from '../../../../src-main/inference/child/grammar/grammar-schema.ts';
import { HeldRules } from '../../../../src-main/inference/child/grammar/held-rules.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { GenerateRequest, Tool } from '../../../../src-preload/contract/request.ts';

const wrong = { type: 'object', properties: { a: { type: 'strin' } } };
const inDefinition = { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { type: 'strin' } } };
const fine: Tool = { name: 'fine' };

/** What is said of the request, whose model writes calls in this style. */
function refusal(tools: Tool[], toolChoice: GenerateRequest['toolChoice'], toolStyle: 'json' | 'tags' | 'mistral') {
  const request: GenerateRequest = { input: { messages: [{ role: 'user', content: 'Go' }] }, tools, toolChoice };
  const forced = forcedCall(request, { toolStyle, callOpening: '' });
  if (!forced) throw new Error('nothing was forced');
  try {
    grammarSchema(forced.jsonSchema, new HeldRules());
  } catch (error) {
    return ofTools(error, forced);
  }
}

describe('a schema that is none, of a tool that has to be called', () => {
  it.each(['json', 'tags', 'mistral'] as const)('is named as it stands in the request (%s)', (style) => {
    const bad = { name: 'bad', parameters: wrong };
    const field = 'tools.1.parameters.properties.a.type';
    const expected = { code: 'BAD_REQUEST', field, message: `The schema’s «${field}» cannot be "strin".` };
    expect(refusal([fine, bad], 'required', style)).toMatchObject(expected);
    expect(refusal([fine, bad], { name: 'bad' }, style)).toMatchObject({
      ...expected,
      said: { message: { key: 'schema.refused', params: { field } } },
    });
  });

  it('is named where a definition is at fault', () => {
    expect(refusal([fine, { name: 'bad', parameters: inDefinition }], 'required', 'tags')).toMatchObject({
      field: 'tools.1.parameters.$defs.x.type',
    });
  });

  it('is the tools’ where no one of them is at fault', () => {
    const big = Array.from({ length: 60 }, (_, at) => ({
      type: 'object',
      properties: { [`p${at}`]: { type: 'null' } },
    }));
    const tools = Array.from({ length: 64 }, (_, at) => ({
      name: `t${at}`,
      parameters: { properties: { x: { anyOf: big } } },
    }));
    expect(refusal(tools, 'required', 'tags')).toMatchObject({ field: expect.stringMatching(/^tools/) });
  });
});

it('leaves other errors as they are', () => {
  const error = new QuarryError({ code: 'BAD_REQUEST', message: 'x', field: 'logitBias' });
  const forced = { opening: '', jsonSchema: {}, fieldOf: () => 'tools' };
  expect(ofTools(error, forced)).toBe(error);
});

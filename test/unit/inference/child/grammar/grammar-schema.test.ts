import { describe, expect, it } from 'vitest';
import { grammarSchema } from '../../../../../src-main/inference/child/grammar/grammar-schema.ts';
import { HeldRules } from '../../../../../src-main/inference/child/grammar/held-rules.ts';

const grammarOf = (schema: Record<string, unknown>) => grammarSchema(schema, new HeldRules());
const refusal = (schema: Record<string, unknown>) => {
  try {
    grammarOf(schema);
  } catch (error) {
    return error;
  }
};

describe('grammarSchema', () => {
  it('takes an object with its properties, as OpenAI’s clients send it', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      title: 'Person',
      properties: { name: { type: 'string' }, age: { type: 'integer', description: 'in years' } },
      required: ['name', 'age'],
      additionalProperties: false,
    };
    expect(grammarOf(schema)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer' } },
      additionalProperties: false,
    });
  });

  it('means any object by an object without properties', () => {
    expect(grammarOf({ type: 'object' })).toMatchObject({ additionalProperties: true });
  });

  it('takes anyOf, type lists and allOf of one', () => {
    expect(grammarOf({ anyOf: [{ type: 'null' }, { const: 3 }] })).toEqual({
      oneOf: [{ type: 'null' }, { const: 3 }],
    });
    expect(grammarOf({ type: ['string', 'null'], maxLength: 3 })).toEqual({
      oneOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }],
    });
    expect(grammarOf({ allOf: [{ type: 'number' }] })).toEqual({ type: 'number' });
  });

  it('puts what has to be so together into one', () => {
    const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const schema = { allOf: [{ $ref: '#/$defs/named' }, { properties: { age: { type: 'null' } } }], $defs: { named } };
    expect(grammarOf(schema)).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'null' } },
    });
  });

  it('takes definitions by either name', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/definitions/node' } } };
    expect(grammarOf({ $ref: '#/definitions/node', definitions: { node } })).toMatchObject({
      $ref: '#/$defs/node',
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
    });
  });

  it('knows the type by the keywords', () => {
    expect(grammarOf({ items: { type: 'boolean' } })).toEqual({ type: 'array', items: { type: 'boolean' } });
  });

  it('writes what is required and not described, where it may be there', () => {
    expect(grammarOf({ type: 'object', properties: { a: { type: 'null' } }, required: ['b'] })).toMatchObject({
      properties: { a: { type: 'null' }, b: { oneOf: expect.anything() } },
    });
  });

  const held = { const: expect.stringMatching(/-0$/) };
  it.each<[Record<string, unknown>, unknown]>([
    [{ type: 'integer', minimum: 3 }, held],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 1 }, held],
    [{ type: 'string', pattern: '^a+$', maxLength: 9 }, held],
    [{ type: 'string', format: 'email' }, held],
    [{ type: 'string', format: 'uuid' }, held],
    [
      { type: 'string', format: 'date', maxLength: 10 },
      { type: 'string', format: 'date' },
    ],
    [{ enum: [{ a: 1 }] }, { oneOf: [held] }],
    [{ const: [1, 'two'] }, held],
  ])('holds %j', (schema, expected) => {
    expect(grammarOf(schema)).toEqual(expected);
  });

  it.each<[Record<string, unknown>, unknown]>([
    [{ type: 'integer', multipleOf: 5 }, { type: 'integer' }],
    [{ type: 'string', format: 'color' }, { type: 'string' }],
    [{ type: 'string', pattern: '(?=a)' }, { type: 'string' }],
    [
      { type: 'string', minLength: 2, maxLength: 100_000 },
      { type: 'string', minLength: 2 },
    ],
    [{ type: 'array', minItems: 1_000_000 }, { type: 'array' }],
    [{ type: 'string', not: { const: 'a' } }, { type: 'string' }],
    [{ enum: Array.from({ length: 5_000 }, String) }, { type: 'string' }],
    [
      { type: 'array', items: { type: 'null' }, uniqueItems: true },
      { type: 'array', items: { type: 'null' } },
    ],
  ])('is wider than %j, which no grammar holds', (schema, expected) => {
    expect(grammarOf(schema)).toEqual(expected);
  });

  it.each([
    [{ type: 'word' }, 'jsonSchema.type'],
    [{ enum: [] }, 'jsonSchema.enum'],
    [{ $ref: 'https://example.com/schema' }, 'jsonSchema.$ref'],
    [{ type: 'array', minItems: -1 }, 'jsonSchema.minItems'],
    [{ type: 'array', minItems: 3, maxItems: 2 }, 'jsonSchema.maxItems'],
    [{ type: 'integer', minimum: 3, maximum: 2 }, 'jsonSchema'],
    [{ properties: { a: { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 4 } } }, 'jsonSchema.properties.a'],
    [{ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }, 'jsonSchema.properties.a.pattern'],
    [{ type: 'object', properties: { a: true }, required: ['b'], additionalProperties: false }, 'jsonSchema.required'],
    [{ type: 'object', required: ['toString'], additionalProperties: false }, 'jsonSchema.required'],
    [{ $ref: '#/$defs/b', $defs: { a: true } }, 'jsonSchema.$ref'],
    [{ $ref: '#/$defs/constructor', $defs: { a: true } }, 'jsonSchema.$ref'],
    [{ $ref: '#/$defs/a' }, 'jsonSchema.$ref'],
  ])('refuses what nothing can fit: %j', (schema, field) => {
    expect(refusal(schema)).toMatchObject({ code: 'BAD_REQUEST', field });
  });

  it('says why as data', () => {
    expect(refusal({ type: 'integer', minimum: 3, maximum: 2 })).toMatchObject({
      message: 'The schema’s «jsonSchema» leaves nothing that could be an answer.',
      said: { message: { key: 'schema.refused' }, hint: { key: 'schema.leaveOut' } },
    });
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['deep', () => nested(100, (schema) => ({ type: 'array', items: schema }))],
    ['put together without end', () => ({ $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/a' }, {}] } } })],
    ['wide', () => ({ properties: Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [at, true])) })],
    ['many-sided', () => ({ anyOf: Array.from({ length: 3_000 }, () => ({ type: 'null' })) })],
  ])('refuses a schema that is too %s', (_, schema) => {
    expect(refusal(schema())).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

function nested(levels: number, around: (schema: Record<string, unknown>) => Record<string, unknown>) {
  let schema: Record<string, unknown> = { type: 'string' };
  for (let depth = 0; depth < levels; depth++) schema = around(schema);
  return schema;
}

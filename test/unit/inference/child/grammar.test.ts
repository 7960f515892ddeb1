import { describe, expect, it } from 'vitest';
import { grammarSchema } from '../../../../src-main/inference/child/grammar.ts';

const refusal = (schema: Record<string, unknown>) => {
  try {
    grammarSchema(schema);
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
    expect(grammarSchema(schema)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer' } },
      additionalProperties: false,
    });
  });

  it('means any object by an object without properties', () => {
    expect(grammarSchema({ type: 'object' })).toMatchObject({ additionalProperties: true });
  });

  it('takes anyOf, type lists and allOf of one', () => {
    expect(grammarSchema({ anyOf: [{ type: 'null' }, { const: 3 }] })).toEqual({
      oneOf: [{ type: 'null' }, { const: 3 }],
    });
    expect(grammarSchema({ type: ['string', 'null'], maxLength: 3 })).toEqual({
      oneOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }],
    });
    expect(grammarSchema({ allOf: [{ type: 'number' }] })).toEqual({ type: 'number' });
  });

  it('takes definitions by either name', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/definitions/node' } } };
    expect(grammarSchema({ $ref: '#/definitions/node', definitions: { node } })).toMatchObject({
      $ref: '#/$defs/node',
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
    });
  });

  it('knows the type by the keywords', () => {
    expect(grammarSchema({ items: { type: 'boolean' } })).toEqual({ type: 'array', items: { type: 'boolean' } });
  });

  it.each([
    [{ type: 'integer', minimum: 3 }, 'jsonSchema.minimum'],
    [{ type: 'string', pattern: 'a+' }, 'jsonSchema.pattern'],
    [{ type: 'object', properties: { a: { type: 'string', format: 'email' } } }, 'jsonSchema.properties.a.format'],
    [{ type: 'word' }, 'jsonSchema.type'],
    [{ enum: [{}] }, 'jsonSchema.enum'],
    [{ enum: [] }, 'jsonSchema.enum'],
    [{ $ref: 'https://example.com/schema' }, 'jsonSchema.$ref'],
    [{ type: 'array', minItems: 1_000_000 }, 'jsonSchema.minItems'],
    [{ type: 'object', properties: { a: true }, required: ['b'] }, 'jsonSchema.required'],
    [{ type: 'object', properties: { a: true }, required: ['toString'] }, 'jsonSchema.required'],
    [{ $ref: '#/$defs/b', $defs: { a: true } }, 'jsonSchema.$ref'],
    [{ $ref: '#/$defs/constructor', $defs: { a: true } }, 'jsonSchema.$ref'],
    [{ $ref: '#/$defs/a' }, 'jsonSchema.$ref'],
    [{ not: { type: 'string' } }, 'jsonSchema.not'],
  ])('refuses what the grammar cannot hold: %j', (schema, field) => {
    expect(refusal(schema)).toMatchObject({ code: 'BAD_REQUEST', field });
  });

  it('says why as data, in the words that it always had', () => {
    expect(refusal({ type: 'string', format: 'email' })).toMatchObject({
      message: 'The schema’s «jsonSchema.format» can only be one of date-time, time, date, without a length.',
      said: { message: { key: 'schema.refused' }, hint: { key: 'schema.leaveOut' } },
    });
  });

  it('refuses a schema that is too deep', () => {
    let schema: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 100; depth++) schema = { type: 'array', items: schema };
    expect(refusal(schema)).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

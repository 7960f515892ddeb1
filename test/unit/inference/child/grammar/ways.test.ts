import { describe, expect, it } from 'vitest';
import { grammarSchema } from '../../../../../src-main/inference/child/grammar/grammar-schema.ts';
import { HeldRules } from '../../../../../src-main/inference/child/grammar/held-rules.ts';
import { cpuMs } from '../../../../support/cpu-time.ts';

type Json = Record<string, unknown>;

const TOO_LARGE = { code: 'BAD_REQUEST', field: 'jsonSchema', message: expect.stringContaining('too large') };

function read(schema: Json): unknown {
  try {
    return grammarSchema(schema, new HeldRules());
  } catch (error) {
    return error;
  }
}

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const object = (properties: Json) => ({ type: 'object', properties });

/** Definitions that each name the next ones, in one way or another. */
function chain(levels: number, names: readonly string[], around: (next: Json[]) => Json): Json {
  const $defs: Json = {};
  for (const name of names) {
    for (let at = 0; at < levels; at++) $defs[`${name}${at}`] = around(names.map((each) => ref(`${each}${at + 1}`)));
    $defs[`${name}${levels}`] = { type: 'string' };
  }
  return { ...ref(`${names[0]}0`), $defs };
}

/** Definitions, the last one first, that each name the next one and all before them: few ways to read an answer, and very many ways from one to another. */
function backwards(count: number): Json {
  const names = Array.from({ length: count }, (_, at) => at);
  const next = (at: number) => (at + 1 < count ? ref(`d${at + 1}`) : object({ a: ref('d0') }));
  const $defs = Object.fromEntries(
    names
      .toReversed()
      .map((at) => [`d${at}`, { anyOf: [next(at), ...names.slice(0, at).map((one) => ref(`d${one}`))] }]),
  );
  return { ...ref('d0'), $defs };
}

describe('a schema that a few bytes make too large', () => {
  it.each<[string, Json]>([
    ['names that are named twice', chain(28, ['d'], ([next]) => ({ oneOf: [next, next] }))],
    ['pairs of names', chain(28, ['d', 'e'], (next) => ({ anyOf: next }))],
    ['names within objects', chain(28, ['d'], ([next]) => ({ oneOf: [object({ a: next }), object({ a: next })] }))],
    ['names within arrays', chain(28, ['d'], ([items]) => ({ oneOf: [{ items }, { items }] }))],
    ['names that lead back to all before them', backwards(30)],
    ['names beside other names', chain(28, ['d'], ([next]) => ({ oneOf: [next, { type: 'null' }, next] }))],
    [
      'objects that stay alike',
      { oneOf: Array.from({ length: 300 }, (_, at) => object({ a: true, [`b${at}`]: true })) },
    ],
  ])('%s', async (_, schema) => {
    const took = await cpuMs(() => expect(read(schema)).toMatchObject(TOO_LARGE));
    expect(took).toBeLessThan(2_000); // else minutes, or no end
  });

  it.each<[string, Json]>([
    ['lists in lists', { oneOf: [{ items: ref('d') }, { items: ref('d') }] }],
    ['objects with the same beginning', { oneOf: [object({ a: ref('d'), b: true }), object({ a: ref('d') })] }],
    [
      'patterns that both may fit',
      { oneOf: ['^a$', '^a?$'].map((pattern) => object({ a: { type: 'string', pattern }, b: ref('d') })) },
    ],
    ['by another name', { oneOf: [{ items: ref('d') }, ref('e')] }],
  ])('alternatives that lead back to themselves alike: %s', (_, d) => {
    const e = { oneOf: [{ type: 'null' }, { items: ref('d') }] };
    expect(read({ ...ref('d'), $defs: { d, e } })).toMatchObject(TOO_LARGE);
  });

  it.each<[string, Json]>([
    ['a list again and again', chain(60, ['d'], ([next]) => ({ oneOf: [next, { type: 'null' }] }))],
    [
      'a tree',
      { ...ref('d'), $defs: { d: object({ left: { anyOf: [ref('d'), { type: 'null' }] }, right: ref('d') }) } },
    ],
    [
      'formulas, told apart by their kind',
      {
        ...ref('d'),
        $defs: {
          d: { anyOf: [ref('sum'), ref('sign'), { type: 'number' }] },
          sum: object({ kind: { const: 'sum' }, left: ref('d'), right: ref('d') }),
          sign: object({ kind: { const: 'sign' }, of: ref('d') }),
        },
      },
    ],
    [
      'a language of fifty kinds',
      {
        ...ref('d'),
        $defs: {
          d: { anyOf: Array.from({ length: 50 }, (_, at) => ref(`k${at}`)) },
          ...Object.fromEntries(
            Array.from({ length: 50 }, (_, at) => [
              `k${at}`,
              object({ kind: { const: at }, left: ref('d'), right: { anyOf: [ref('d'), { type: 'null' }] } }),
            ]),
          ),
        },
      },
    ],
    [
      'files and folders',
      {
        ...ref('d'),
        $defs: {
          d: {
            oneOf: [
              object({ name: { type: 'string' } }),
              object({ name: { type: 'string' }, in: { items: ref('d') } }),
            ],
          },
        },
      },
    ],
    [
      'many tools with many values',
      {
        oneOf: Array.from({ length: 120 }, (_, at) =>
          object({ name: { const: `tool${at}` }, arguments: { enum: Array.from({ length: 20 }, String) } }),
        ),
      },
    ],
    [
      'many fields that may be null',
      object(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [at, { type: ['string', 'null'] }]))),
    ],
  ])('is not %s', (_, schema) => {
    expect(read(schema)).not.toBeInstanceOf(Error);
  });
});

describe('what is put together or written out', () => {
  const wide = object(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [at, true])));

  it.each<[string, Json]>([
    ['put together from many', { allOf: Array.from({ length: 10_000 }, () => ref('wide')), $defs: { wide } }],
    [
      'values again and again',
      object(
        Object.fromEntries(Array.from({ length: 50 }, (_, at) => [at, { enum: Array.from({ length: 900 }, String) }])),
      ),
    ],
    [
      'a long text again and again',
      object(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [at, { allOf: [ref('long'), {}] }]))),
    ],
  ])('has a bound: %s', (_, schema) => {
    const long = { const: 'x'.repeat(100_000) };
    expect(read({ ...schema, $defs: { wide, long } })).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('repetitions have one bound together; what is beyond it is not held', () => {
    const fields = Array.from({ length: 1_900 }, (_, at) => [at, { type: 'string', maxLength: 1_000 - (at % 7) }]);
    const { properties } = read(object(Object.fromEntries(fields))) as { properties: Record<string, Json> };
    const held = Object.values(properties).filter((each) => 'maxLength' in each);
    expect(held).toHaveLength(10);
  });
});

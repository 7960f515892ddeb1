import { getLlama, type Llama } from 'node-llama-cpp';
import { beforeAll, describe, expect, it } from 'vitest';
import { grammarSchema } from '../../../../../src-main/inference/child/grammar/grammar-schema.ts';
import { HeldRules } from '../../../../../src-main/inference/child/grammar/held-rules.ts';
import { withMergedLiterals } from '../../../../../src-main/inference/child/grammar/merged-literals.ts';
import { cpuMs } from '../../../../support/cpu-time.ts';

type Json = Record<string, unknown>;

/** As llama.cpp itself understands them. */
let llama: Llama;
beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: 'never', logger: () => undefined });
});

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `the answer is as you know ${at}`);

async function read(schema: Json) {
  const held = new HeldRules();
  const merged = withMergedLiterals(grammarSchema(schema, held), held);
  if (!merged) return undefined;
  const text = held.putInto((await llama.createGrammarForJsonSchema(merged as { type: 'object' })).grammar);
  const made = await llama.createGrammar({ grammar: text });
  const { _grammar } = made as unknown as { _grammar: { isTextCompatible(text: string): boolean } };
  return { text, takes: (json: unknown) => _grammar.isTextCompatible(`${JSON.stringify(json)}\n\n\n\n`) };
}

describe('values that an answer is one of', () => {
  it.each<[string, Json]>([
    ['a list', { enum: numbered(1_000) }],
    ['alternatives', { anyOf: numbered(1_000).map((each) => ({ const: each })) }],
    ['alternatives beside others', { anyOf: [...numbered(900).map((each) => ({ const: each })), { type: 'null' }] }],
    ['several lists', { anyOf: [{ enum: numbered(500) }, { oneOf: [{ enum: numbered(1_000).slice(500) }] }] }],
    ['lists of lists', { enum: numbered(900).map((each) => [each]) }],
    [
      'lists by their names',
      {
        anyOf: [ref('a'), ref('b')],
        $defs: { a: { enum: numbered(500) }, b: { anyOf: [ref('c')] }, c: { enum: numbered(600) } },
      },
    ],
  ])('are at one place of a grammar until they differ: %s', async (_, schema) => {
    const merged = await read(schema);
    const lists = Object.keys((schema.$defs ?? {}) as Json).length + 1;
    expect(merged?.text.match(/the answer/g)?.length).toBeLessThanOrEqual(lists);
    expect([numbered(500)[123], [numbered(500)[123]]].some((each) => merged?.takes(each))).toBe(true);
    expect(merged?.takes('the answer is as you know')).toBe(false);
  });

  it.each<[string, unknown[], unknown[]]>([
    ['that begin alike', ['', 'a', 'ab', 'abc', 'b'], ['abcd', 'ac', 'c']],
    ['numbers', [1, 12, 123, -1, 0.5], [2, 13, 1234, 0]],
    ['of many kinds', [null, true, false, 'true', 1, '1'], ['null', 2]],
    ['that JSON writes with a backslash', ['"', '\\', 'a\nb', '\t'], ['a', '\n']],
    ['of other scripts', ['北京', '北海', '上海', '😀', '😁'], ['北', '海', '😂']],
    ['twice', ['a', 'a'], ['aa']],
    ['objects and lists', [{ a: 'x' }, { a: 'x', b: [1] }, ['x'], ['x', 'y'], 'x'], [{ a: 'y' }, ['y'], {}]],
  ])('are these and no others: %s', async (_, values, others) => {
    const schemas: Json[] = [{ enum: values }, { anyOf: values.map((each) => ({ const: each })) }];
    for (const schema of schemas) {
      const merged = await read(schema);
      expect([...values, ...others].filter((each) => merged?.takes(each))).toEqual(values);
    }
  });

  it('stand wherever a schema may', async () => {
    const list = { enum: ['aa', 'ab'] };
    const merged = await read({
      type: 'object',
      properties: { one: list, more: { type: 'array', items: { anyOf: [list, { type: 'null' }] } }, named: ref('d') },
      $defs: { d: list },
    });
    expect(merged?.takes({ one: 'aa', more: ['ab', null], named: 'ab' })).toBe(true);
    expect(merged?.takes({ one: 'aa', more: ['ac'], named: 'ab' })).toBe(false);
  });

  it('begin with each other very often', async () => {
    const merged = await read({ enum: Array.from({ length: 600 }, (_, at) => 'a'.repeat(at)) });
    expect(['', 'a'.repeat(599), 'a'.repeat(600), 'b'].map((each) => merged?.takes(each))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('are too many where names lead from one to all others', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `d${at}`,
        { anyOf: [{ const: `v${at}` }, at < 299 ? ref(`d${at + 1}`) : { type: 'null' }] },
      ]),
    );
    const took = await cpuMs(async () => expect(await read({ ...ref('d0'), $defs })).toBeUndefined());
    expect(took).toBeLessThan(2_000);
  });
});

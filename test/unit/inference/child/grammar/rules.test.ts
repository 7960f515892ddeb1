import { getLlama, type Llama, type LlamaGrammar } from 'node-llama-cpp';
import { beforeAll, describe, expect, it } from 'vitest';
import { grammarSchema } from '../../../../../src-main/inference/child/grammar/grammar-schema.ts';
import { HeldRules, type Rule } from '../../../../../src-main/inference/child/grammar/held-rules.ts';
import { numberRule } from '../../../../../src-main/inference/child/grammar/number-rule.ts';
import { patternRule } from '../../../../../src-main/inference/child/grammar/pattern-rule.ts';
import { literal } from '../../../../../src-main/inference/child/grammar/texts-rule.ts';

/** Rules as llama.cpp itself understands them. */
let llama: Llama;
beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: 'never', logger: () => undefined });
});

describe('the rule of whole numbers', () => {
  const samples = [...Array.from({ length: 241 }, (_, at) => at - 120), -1000, 999, 1000, 1001, 9_999, 10_000, 123_456];

  it.each<[number | undefined, number | undefined]>([
    [0, 9],
    [3, undefined],
    [undefined, -3],
    [-17, 105],
    [1, 100],
    [-9, -1],
    [7, 7],
    [99, 1_000],
    [21, 29],
    [118, 10_203],
    [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])('from %s to %s', async (minimum, maximum) => {
    const takes = await reader(numberRule('integer', { minimum, maximum }));
    const right = (value: number) => value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
    expect(samples.filter((value) => takes(String(value)))).toEqual(samples.filter(right));
    expect(takes('007') || takes('1.5')).toBe(false);
  });

  it('leaves out what is excluded, as either draft says it', async () => {
    for (const limits of [
      { exclusiveMinimum: 3, exclusiveMaximum: 5 },
      { minimum: 3, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
      { minimum: 3.5, maximum: 4.9 },
    ]) {
      const takes = await reader(numberRule('integer', limits));
      expect([3, 4, 5].filter((value) => takes(String(value)))).toEqual([4]);
    }
  });

  it('has none where there is nothing to hold', () => {
    expect(numberRule('integer', { minimum: 'three' })).toBeUndefined();
    expect(numberRule('integer', { minimum: 1e300 })).toBeUndefined();
    expect(numberRule('integer', { minimum: 3, maximum: 2 })).toBe('none');
  });
});

it.each<[{ minimum?: number; maximum?: number }, string[], string[]]>([
  [{ minimum: 0, maximum: 1 }, ['0', '0.25', '1'], ['1.5', '-0.5', '2', '1e9']],
  [{ minimum: -2, maximum: 3 }, ['-2', '-1.99', '0.5', '2.99', '3'], ['-2.1', '3.01', '-3']],
  [{ minimum: 10 }, ['10', '10.5', '123456.25'], ['9.9', '-10']],
  [{ maximum: -4 }, ['-4', '-4.5', '-100.25'], ['4', '-3.9', '0']],
])('the rule of numbers within %j', async (limits, right, wrong) => {
  const takes = await reader(numberRule('number', limits));
  expect([...right, ...wrong].filter(takes)).toEqual(right);
});

describe('the rule of a pattern', () => {
  it.each<[string, string[], string[]]>([
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', ['a', 'a-b2', 'ab-cd-ef'], ['', 'A', 'a-', '-a', 'a b']],
    ['^\\d{3}-\\d{2,4}$', ['123-45', '123-4567'], ['12-45', '123-4', '123-45678']],
    ['^(?<year>\\d{4})\\/[01]\\d$', ['2026/11'], ['2026-11', '2026/21']],
    ['^#?[\\da-fA-F]{6}$', ['#00ffAA', '123456'], ['#00ffA', '##123456']],
    ['^(foo|bar|)$', ['foo', 'bar', ''], ['baz', 'foobar']],
    ['^[^,;]+$', ['a b', 'ü'], ['', 'a,b']],
    ['^[ -~]{1,3}$', ['a~ '], ['abcd', 'ü']],
    ['b+', ['b', 'abba', 'xb'], ['', 'aa']],
    ['^a|z$', ['ab', 'yz', 'a'], ['ba', 'zy']],
    ['^a.c$', ['abc', 'aüc'], ['ac', 'abbc']],
    ['^.*?$', ['', 'abc'], []],
    ['^say "hi"\\\\$', ['say "hi"\\'], ['say hi']],
    ['^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$', ['a.b@c-d.example'], ['a@b', '@b.c']],
    ['', ['', 'anything'], []],
  ])('%s', async (pattern, right, wrong) => {
    for (const text of right) expect(text).toMatch(new RegExp(pattern, 'u'));
    const takes = await reader(patternRule(pattern));
    expect([...right, ...wrong].filter((text) => takes(JSON.stringify(text)))).toEqual(right);
  });

  it.each([
    ['what looks ahead', '^(?!a)b'],
    ['what looks back', '(?<=a)b'],
    ['words', '\\bword\\b'],
    ['what came before', '^(a)\\1$'],
    ['a class of Unicode', '^\\p{L}+$'],
    ['an anchor within', 'a(^b|c)'],
    ['nothing, again and again', '^(a*)*$'],
    ['too many places', '^(a{0,100}){0,100}$'],
    ['too many places beside each other', '^a{200}b{200}$'],
    ['too many ways', `^(${'a|'.repeat(400)}b)$`],
    ['repetitions within repetitions', '^((((.+)+)+)+)+$'],
    ['too many levels', `^${'('.repeat(40)}a${')'.repeat(40)}$`],
    ['too long a pattern', `^${'a?'.repeat(1_000)}$`],
    ['only what JSON writes with a backslash', '^["\\\\]$'],
  ])('gives up %s', (_, pattern) => {
    expect(patternRule(pattern)).toBeUndefined();
  });
});

it('puts rules into a grammar once each, and a text as it is', async () => {
  const held = new HeldRules();
  const text = JSON.stringify({ a: 'x"\\\n', b: ['ü'] });
  const [object, digit] = [held.hold({ rule: literal(text), places: 1 }), held.hold({ rule: '[0-9]', places: 1 })];
  const schema = {
    type: 'array',
    prefixItems: [object, digit, held.hold({ rule: literal(text), places: 1 })],
    maxItems: 3,
  } as const;
  const grammar = held.putInto((await llama.createGrammarForJsonSchema(schema as { type: 'array' })).grammar);
  expect(grammar.match(/^held\d ::=/gm)).toHaveLength(2);
  const takes = textTest(await llama.createGrammar({ grammar }));
  expect(takes(`[${text}, 7, ${text}]\n\n\n\n`)).toBe(true);
});

it('holds no more rules than leave a grammar quick', () => {
  const held = new HeldRules();
  const fields = Array.from({ length: 200 }, (_, at) => [`f${at}`, { type: 'integer', minimum: at }]);
  const { properties } = grammarSchema({ type: 'object', properties: Object.fromEntries(fields) }, held);
  expect(Object.values(properties as object).filter((schema) => 'const' in schema)).toHaveLength(100);
  expect(held.hold({ rule: '[0-9]', places: 1 })).toBeUndefined();
});

/** Whether llama.cpp takes a whole text by a rule. */
async function reader(rule: Rule | 'none' | undefined) {
  if (typeof rule !== 'object') throw new Error('there is no rule');
  const grammar = await llama.createGrammar({ grammar: `root ::= (${rule.rule}) "\\n"` });
  const takes = textTest(grammar);
  return (text: string) => takes(`${text}\n`);
}

/** It is there, and not told of. */
function textTest(grammar: LlamaGrammar): (text: string) => boolean {
  const { _grammar } = grammar as unknown as { _grammar: { isTextCompatible(text: string): boolean } };
  return (text) => _grammar.isTextCompatible(text);
}

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bodyHash } from '../../../../src-main/bittensor/synapse/body-hash.ts';
import { pythonStr } from '../../../../src-main/bittensor/synapse/python-text.ts';
import { defineSynapse } from '../../../../src-main/bittensor/synapse/synapse.ts';

/** Bittensor §1.2, hashed by the SDK itself. */
const OF_NOTHING = 'a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a';
const FIELDS = {
  prompt: z.string(),
  nums: z.array(z.number()),
  flag: z.boolean(),
  meta: z.record(z.string(), z.unknown()),
};
const VALUES = {
  prompt: 'héllo "q" \n',
  nums: [1, 2.5, 1e-7, 1e16, 0.1],
  flag: true,
  meta: { a: [1, 'x', null], b: { c: "it's" } },
};
const HASH = '563c301d0a50b6d23bfbcd0f3a15cd1a21fc0090a08acf13b3011859d8a755c3';

describe('the hash of a body', () => {
  it('is that of the SDK', () => {
    const type = defineSynapse({ name: 'Vector', fields: FIELDS, hashed: ['prompt', 'nums', 'flag', 'meta'] });
    expect(type.hash(VALUES)).toBe(HASH);
  });

  it('without fields is the hash of nothing', () => {
    expect([bodyHash([]), defineSynapse({ name: 'Open', fields: FIELDS }).hash(VALUES)]).toEqual([
      OF_NOTHING,
      OF_NOTHING,
    ]);
  });

  it('depends on the order of the fields', () => {
    const other = defineSynapse({ name: 'Vector', fields: FIELDS, hashed: ['nums', 'prompt', 'flag', 'meta'] });
    expect(other.hash(VALUES)).not.toBe(HASH);
  });
});

describe('a value', () => {
  // By `python3 -c 'print(str(…))'`.
  it.each([
    [1, z.int(), '1'],
    [1, z.number(), '1.0'],
    [1, z.unknown(), '1'],
    [3, z.number().min(2).default(4), '3.0'],
    [0.0001, z.number(), '0.0001'],
    [0.00001, z.number(), '1e-05'],
    [-1.5e-10, z.number(), '-1.5e-10'],
    [123456789012345.6, z.number(), '123456789012345.6'],
    [1e15, z.number(), '1000000000000000.0'],
    [1.2345e22, z.number(), '1.2345e+22'],
    [1e100, z.number(), '1e+100'],
    [-0, z.number(), '-0.0'],
    [null, z.string().nullable(), 'None'],
    [[true, false], z.array(z.boolean()), '[True, False]'],
    [["it's", 'say "x"', `both ' and "`], z.array(z.string()), `["it's", 'say "x"', 'both \\' and "']`],
    [
      ['\\ \n\r\t', '\x7f\x00', '\u200b\u00a0', '\u{e0001}', 'é漢🎉'],
      z.unknown(),
      "['\\\\ \\n\\r\\t', '\\x7f\\x00', '\\u200b\\xa0', '\\U000e0001', 'é漢🎉']",
    ],
    [
      { a: 1, b: { c: [2] } },
      z.object({ a: z.number(), b: z.object({ c: z.array(z.number()) }) }),
      "{'a': 1.0, 'b': {'c': [2.0]}}",
    ],
    [{ x: 1 }, z.record(z.string(), z.number()), "{'x': 1.0}"],
    [[], z.unknown(), '[]'],
    [{}, z.unknown(), '{}'],
  ])('%j is written as Python writes it', (value, type, text) => {
    expect(pythonStr(value, type)).toBe(text);
  });
});

describe('a synapse', () => {
  it('says of each required field what is empty of its type', () => {
    const fields = { ...FIELDS, count: z.int(), size: z.number(), known: z.string().default('') };
    expect(defineSynapse({ name: 'Headers', fields }).inputHeaders).toEqual({
      bt_header_input_obj_prompt: 'IiI=',
      bt_header_input_obj_nums: 'W10=',
      bt_header_input_obj_flag: 'ZmFsc2U=',
      bt_header_input_obj_meta: 'e30=',
      bt_header_input_obj_count: 'MA==',
      bt_header_input_obj_size: 'MC4w',
    });
  });

  it.each([
    ['a name with a slash', 'a/b', {}],
    ['a field that every synapse has', 'Name', { timeout: z.number() }],
    ['a required field with capitals, which no header can carry', 'Name', { thePrompt: z.string() }],
  ])('cannot have %s', (_, name, fields) => {
    expect(() => defineSynapse({ name, fields })).toThrow(/No synapse/);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListItems } from '../../../../../../src-main/subnets/quasar/tasks/published/list-items.ts';

const MOST = 1 << 20;

/** What a file holds, read in pieces of a size. */
function itemsOf(text: string | Buffer, piece = 7, mostRow = 1_000) {
  const bytes = Buffer.from(text);
  const items = new ListItems(MOST, mostRow);
  const found = [];
  for (let at = 0; at < bytes.length; at += piece) found.push(...items.take(bytes.subarray(at, at + piece)));
  return [...found, ...items.end()].map(({ line, at, bytes: item }) => ({ line, at, text: item?.toString() }));
}
const textsOf = (text: string, piece?: number) => itemsOf(text, piece).map(({ text: item }) => item?.trim());

describe('the items of a file that is one list', () => {
  it('are what the list holds, wherever the pieces end', () => {
    for (const piece of [1, 2, 5, 1_000]) {
      expect(textsOf(' [ {"a": [1, 2]} , "x,]\\"[", 3,null ]\n', piece)).toEqual([
        '{"a": [1, 2]}',
        '"x,]\\"["',
        '3',
        'null',
      ]);
    }
    expect(itemsOf('[1,\n22]')).toEqual([
      { line: 1, at: 1, text: '1' },
      { line: 2, at: 3, text: '\n22' },
    ]);
    expect(textsOf('\ufeff[1]')).toEqual(['1']);
    expect(textsOf('[]')).toEqual([]);
  });

  it('are not held where they are too long', () => {
    const found = itemsOf(`[1,"${'x'.repeat(2_000)}",2]`, 64);
    expect(found.map(({ text }) => text)).toEqual(['1', undefined, '2']);
  });

  it('are no JSON where the file is something else', () => {
    const broken = (text: string) => textsOf(text).filter((item) => !isJson(item ?? ''));
    for (const text of ['', '{"a":1}', 'x[1]', '[1', '[1,', '[1,{"a":2', '[1]]', '[1][2]', '["a', '}[', ']']) {
      expect(broken(text), text).not.toEqual([]);
    }
  });

  it('end where a data set may not be larger', () => {
    const items = new ListItems(10, 10);
    items.take(Buffer.from('[1,2,'));
    expect(() => items.take(Buffer.from('3,4,5,6]'))).toThrow(/has more than/);
  });

  it('are those that JSON itself finds, of any list', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 40 }), fc.boolean(), (list, piece, wide) => {
        const text = JSON.stringify(list, null, wide ? 2 : 0);
        const found = itemsOf(text, piece, MOST);
        expect(found.map((item) => JSON.parse(item.text ?? ''))).toEqual(JSON.parse(text));
        const bytes = Buffer.from(text);
        for (const { at, text: item = '' } of found) {
          expect(bytes.subarray(at, at + Buffer.byteLength(item)).toString()).toBe(item);
        }
      }),
    );
  });

  it('are looked for in anything without an error', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'[]{},"\\ 1é') }),
        fc.integer({ min: 1, max: 9 }),
        (text, piece) => {
          itemsOf(text, piece);
        },
      ),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // that is what is asked
  }
}

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { valueFault } from '../../../src-main/base/value-fault.ts';
import { boundedArray, boundedRecord } from '../../../src-preload/contract/bounded.ts';
import { formsIn, phrase, sentence } from '../../../src-preload/contract/saying.ts';
import { GERMAN } from '../../../src-preload/contract/sayings/german.ts';

function faultOf(schema: z.ZodType, value: unknown) {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue ? valueFault(issue) : undefined;
}

describe('what a schema has against a value', () => {
  it.each<[z.ZodType, unknown, string, string]>([
    [z.string(), undefined, 'is missing', 'fehlt'],
    [z.string(), 5, 'must be a text', 'muss ein Text sein'],
    [z.number(), 'x', 'must be a number', 'muss eine Zahl sein'],
    [z.int(), 1.5, 'must be a whole number', 'muss eine ganze Zahl sein'],
    [z.boolean(), 'yes', 'must be true or false', 'muss true oder false sein'],
    [z.array(z.string()), {}, 'must be a list', 'muss eine Liste sein'],
    [z.object({}), [], 'must be an object', 'muss ein Objekt sein'],
    [z.int().max(10_000), 20_000, 'must be at most 10000', 'darf höchstens 10.000 sein'],
    [z.int().min(1), 0, 'must be at least 1', 'muss mindestens 1 sein'],
    [z.number().positive(), 0, 'must be more than 0', 'muss größer sein als 0'],
    [z.number().lt(1.5), 2, 'must be less than 1.5', 'muss kleiner sein als 1,5'],
    [z.string().min(1), '', 'must not be empty', 'darf nicht leer sein'],
    [z.string().min(8), 'x', 'must have at least 8 characters', 'muss mindestens 8 Zeichen haben'],
    [z.string().max(2), 'xyz', 'must have at most 2 characters', 'darf höchstens 2 Zeichen haben'],
    [boundedArray(z.string(), 1, 1), [], 'must not be empty', 'darf nicht leer sein'],
    [boundedArray(z.string(), 1), ['a', 'b'], 'must have at most 1 entries', 'darf höchstens 1 Einträge haben'],
    [
      boundedRecord(z.string(), z.int(), 1),
      { a: 1, b: 2 },
      'must have at most 1 entries',
      'darf höchstens 1 Einträge haben',
    ],
    [z.array(z.int()).min(3), [1], 'must have at least 3 entries', 'muss mindestens 3 Einträge haben'],
    [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"', 'muss eines sein von "a", "b"'],
    [
      z.string().regex(/^a$/),
      'b',
      'is written in another form than it must be',
      'ist anders geschrieben, als es sein muss',
    ],
    [z.union([z.string(), z.int()]), true, 'has none of the shapes that it may have', 'hat keine der erlaubten Formen'],
    [z.strictObject({}), { more: 1 }, 'must not have the field «more»', 'darf das Feld «more» nicht haben'],
  ])('is said in English and in German: %#', (schema, value, english, german) => {
    const fault = faultOf(schema, value) ?? '';
    expect(sentence(fault)).toBe(english);
    expect(typeof fault === 'string' ? fault : phrase(fault, GERMAN, formsIn('de'))).toBe(german);
  });

  it('repeats no more of an unknown field than a name has', () => {
    const fault = faultOf(z.strictObject({}), { ['x'.repeat(10_000)]: 1 }) ?? '';
    expect(sentence(fault).length).toBeLessThan(150);
  });

  it('stays in the words that it has where no saying is known', () => {
    expect(
      faultOf(
        z.string().refine(() => false, 'must rhyme'),
        'x',
      ),
    ).toBe('must rhyme');
    expect(valueFault({ message: 'It is not.' })).toBe('It is not.');
  });
});

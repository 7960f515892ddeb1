import type { z } from 'zod';
import { BOUNDED_LISTS } from '../../../src-preload/contract/bounded.ts';

/** Decides what is made: a whole number from 0 to below `bound`. Zeros all the way give the simplest thing. */
export type Pick = (bound: number) => number;

/** Hexadecimal words of a length that mean something where they are said: ids, requests. */
export type Words = (length: number) => readonly string[];

/** Texts that some field or other takes. */
const TEXTS = [
  'a',
  'tiny',
  'org/model-1b',
  'model.gguf',
  'Apache-2.0',
  '127.0.0.1:49737',
  'http://127.0.0.1:9/v1',
  'https://example.org/m.gguf',
  '/tmp/nowhere',
  '22:00-06:00',
  '0d6f8a12-9c1e-4b7a-8f00-1234567890ab',
  '7',
  'Grüße, 世界 👋',
];
const HEX_PATTERN = /^\^\[0-9a-f\]\{(\d+)\}\$$/;
/** Longest text and list that are made to their full length again and again; longer ones are rare. */
const CHEAP = 1_024;
const RARE = 64;
const DEPTH = 12;

/**
 * A value that the schema takes, or nearly so where only a function knows what that is. All bounds are met: the least, the most,
 * and what lies between.
 */
export function exampleOf(schema: z.core.$ZodType, pick: Pick, words: Words, depth = 0): unknown {
  const inner = (type: z.core.$ZodType) => exampleOf(type, pick, words, depth + 1);
  if (depth > DEPTH) return null;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const list = BOUNDED_LISTS.get(def);
  if (list) return arrayOf(() => inner(list.element), list.min, list.max, pick);
  switch (def.type) {
    case 'object':
      return objectOf(def.shape, inner);
    case 'array': {
      const { least = 0, most = 3 } = boundsOf(schema);
      return arrayOf(() => inner(def.element), least, most, pick);
    }
    case 'tuple':
      return def.items.map(inner);
    case 'record':
      return objectOf(
        Object.fromEntries(arrayOf(() => [textOf(def.keyType, pick, words), def.valueType], 0, 3, pick)),
        inner,
      );
    case 'union':
      return inner(oneOf(def.options, pick));
    case 'intersection':
      return Object.assign({}, inner(def.left), inner(def.right));
    case 'optional':
      return pick(2) === 0 ? inner(def.innerType) : undefined;
    case 'nullable':
      return pick(3) < 2 ? inner(def.innerType) : null;
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return inner(def.innerType);
    case 'pipe':
      return inner(def.in._zod.def.type === 'transform' ? def.out : def.in);
    case 'lazy':
      return inner(def.getter());
    case 'literal':
      return oneOf(def.values, pick);
    case 'enum':
      return oneOf(Object.values(def.entries), pick);
    case 'string':
      return textOf(schema, pick, words);
    case 'number':
      return numberOf(schema, pick);
    case 'boolean':
      return pick(2) === 0;
    case 'null':
    case 'undefined':
    case 'void':
      return null;
    default:
      return anything(pick);
  }
}

/** What the checks of a text, a number or a list let through. */
interface Bounds {
  least?: number;
  most?: number;
  isInt?: boolean;
  pattern?: RegExp;
}

function boundsOf(schema: z.core.$ZodType): Bounds {
  const { def } = schema._zod;
  const bounds: Bounds = {};
  for (const check of [{ _zod: { def } }, ...(def.checks ?? [])]) {
    const each = check._zod.def as unknown as z.core.$ZodChecks['_zod']['def'];
    if (each.check === 'greater_than') bounds.least = Number(each.value) + (each.inclusive ? 0 : 1e-6);
    if (each.check === 'less_than') bounds.most = Number(each.value);
    if (each.check === 'min_length') bounds.least = each.minimum;
    if (each.check === 'max_length') bounds.most = each.maximum;
    if (each.check === 'number_format') bounds.isInt = each.format.includes('int');
    if (each.check === 'string_format' && each.pattern) bounds.pattern = each.pattern;
  }
  return bounds;
}

export function oneOf<T>(list: readonly T[], pick: Pick): T {
  return list[pick(list.length)] as T;
}

function objectOf(shape: Record<string, z.core.$ZodType>, inner: (type: z.core.$ZodType) => unknown): object {
  const made: Record<string, unknown> = {};
  for (const [key, type] of Object.entries(shape)) {
    const value = inner(type);
    if (value !== undefined) made[key] = value;
  }
  return made;
}

function arrayOf<T>(make: () => T, min: number, max: number, pick: Pick): T[] {
  const few = min + pick(Math.min(max - min, 3) + 1);
  const length = pick(RARE) === RARE - 1 && max <= CHEAP ? max : few;
  if (length <= few) return Array.from({ length }, make);
  const one = make();
  return Array<T>(length).fill(one); // as many as there may be, for the work of one
}

function textOf(schema: z.core.$ZodType, pick: Pick, words: Words): string {
  const { least = 0, most = CHEAP, pattern } = boundsOf(schema);
  const digits = Number(HEX_PATTERN.exec(pattern?.source ?? '')?.[1]);
  if (digits > 0) return hexOf(digits, pick, words);
  const first = pick(TEXTS.length);
  for (let step = 0; step < TEXTS.length; step++) {
    const text = lengthened(TEXTS[(first + step) % TEXTS.length] ?? '', least, most, pick);
    if (takes(schema, text)) return text;
  }
  return 'x'.repeat(Math.max(1, least));
}

function lengthened(text: string, least: number, most: number, pick: Pick): string {
  const rare = most <= CHEAP ? RARE : RARE * 16;
  if (pick(rare) === rare - 1) return 'm'.repeat(most);
  return text.padEnd(least, 'x').slice(0, most);
}

function takes(schema: z.core.$ZodType, text: string): boolean {
  const result = schema._zod.run({ value: text, issues: [] }, { async: false });
  return !(result instanceof Promise) && result.issues.length === 0;
}

function hexOf(digits: number, pick: Pick, words: Words): string {
  const known = words(digits);
  const at = pick(known.length + 1);
  return (
    known[at] ??
    pick(2 ** 32)
      .toString(16)
      .padStart(8, '0')
      .repeat(Math.ceil(digits / 8))
      .slice(0, digits)
  );
}

function numberOf(schema: z.core.$ZodType, pick: Pick): number {
  const { least = 0, most = Number.MAX_SAFE_INTEGER, isInt } = boundsOf(schema);
  const within = (value: number) => Math.min(most, Math.max(least, value));
  const value = oneOf(
    [least, within(1), most, within(pick(1_000)), within(Date.now() - pick(1_000)), within(0.5)],
    pick,
  );
  return isInt ? Math.trunc(value) : value;
}

function anything(pick: Pick): unknown {
  return oneOf([null, 0, 'text', true, {}, [], { type: 'object' }, { properties: { a: { type: 'string' } } }], pick);
}

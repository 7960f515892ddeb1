import type { Json } from './topics/code-base.ts';

/** Whether a stranger’s value is the one that was expected; it is looked at only as far as that goes. The order of keys does not matter, 2.0 is 2, and true is not 1. */
export function sameJson(expected: Json, value: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected;
  if (isList(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return false;
    return expected.every((one, at) => sameJson(one, value[at]));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const given = new Map(Object.entries(value));
  const wanted = Object.entries(expected);
  return given.size === wanted.length && wanted.every(([key, one]) => given.has(key) && sameJson(one, given.get(key)));
}

/** Says of a list that may not be written to what `Array.isArray` does not. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

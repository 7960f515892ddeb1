import type { z } from 'zod';
import { type Saying, say, type Words } from '../../src-preload/contract/saying.ts';
import { values } from '../../src-preload/contract/sayings/values.ts';

type OwnKey = keyof typeof values;

/** What schemas of ours say in words of their own, by these words. */
const OWN: ReadonlyMap<string, OwnKey> = new Map(
  Object.entries(values)
    .filter(([, words]) => !words.includes('{{'))
    .map(([key, words]) => [words, key as OwnKey]),
);

/** Longest name of an unknown field that is repeated. */
const MAX_NAME_CHARS = 100;

/** A schema's own message: English, as zod wants it, which {@link valueFault} knows again. */
export function faultText<Key extends OwnKey>(key: Key): (typeof values)[Key] {
  return values[key];
}

/**
 * What a schema has against a value, as a clause behind the name of the field: «must be at most 5». Of the value itself
 * nothing is repeated but the name of a field that should not be there.
 *
 * @param given an issue of zod; one that no saying is known for stays in the words that it has
 */
export function valueFault(given: { readonly message: string }): Words {
  const own = OWN.get(given.message);
  if (own) return { key: own };
  const issue = given as z.core.$ZodIssue;
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_value':
      return say('value.oneOf', { choices: issue.values.map((value) => JSON.stringify(value) ?? String(value)) });
    case 'invalid_format':
      return say('value.form');
    case 'invalid_union':
      return say('value.shape');
    case 'unrecognized_keys':
      return say('value.unknownField', { name: issue.keys[0]?.slice(0, MAX_NAME_CHARS) ?? '' });
    default:
      return given.message;
  }
}

function wrongType({ expected, message }: z.core.$ZodIssueInvalidType): Words {
  if (message.endsWith('received undefined')) return say('value.missing');
  const kind = kindOf(expected);
  return kind ? say('value.kind', { kind }) : message;
}

function kindOf(expected: string): Saying | undefined {
  switch (expected) {
    case 'string':
      return say('value.text');
    case 'number':
      return say('value.number');
    case 'int':
      return say('value.wholeNumber');
    case 'boolean':
      return say('value.switch');
    case 'array':
      return say('value.list');
    case 'object':
    case 'record':
      return say('value.object');
    default:
      return undefined;
  }
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): Saying {
  const least = Number(minimum);
  if (isNumber(origin)) return inclusive ? say('value.less', { least }) : say('value.notMore', { least });
  if (least === 1) return say('value.empty');
  return origin === 'string' ? say('value.fewerCharacters', { least }) : say('value.fewerEntries', { least });
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): Saying {
  const most = Number(maximum);
  if (isNumber(origin)) return inclusive ? say('value.more', { most }) : say('value.notLess', { most });
  return origin === 'string' ? say('value.moreCharacters', { most }) : say('value.moreEntries', { most });
}

function isNumber(origin: string): boolean {
  return origin === 'number' || origin === 'int' || origin === 'bigint';
}

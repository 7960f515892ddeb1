import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import type { HeldRules } from './held-rules.ts';
import { numberRule } from './number-rule.ts';
import { isPattern, type Json, stringSchema } from './string-schema.ts';
import { MOST_WAYS, waysOf } from './ways.ts';

/** llama.cpp's grammar writes repetitions out, so that few bytes of schema may ask for a lot of memory: of one limit, and of all together. */
const MAX_REPETITIONS = 1_000;
const ALL_REPETITIONS = 10_000;
const MAX_DEPTH = 64;
/** What a schema may be written out to: two for each schema in it, one for each value and for whatever is put together by allOf. */
const MAX_PARTS = 4_000;
/** Long texts count as more parts. */
const PART_CHARS = 100;
const MAX_ALTERNATIVES = 1_000;

const DEFINITIONS = ['$defs', 'definitions'] as const;
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];
/** By which of its keywords a schema without a type means one. */
const KEYWORDS: Record<string, readonly string[]> = {
  object: ['properties', 'additionalProperties', 'required', 'minProperties', 'maxProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'format', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
};

const ANYTHING: Json = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
};

/**
 * JSON Schema as callers write it, into what node-llama-cpp's generator takes. What no grammar can hold an answer to is passed over: the grammar is
 * then wider than the schema, and whoever asked looks at the answer. Every property of an object is always written, required or not.
 * @param held takes the rules that the generator has no words for
 * @throws BAD_REQUEST naming the keyword where it is no schema, is too large, or nothing can fit it
 */
export function grammarSchema(schema: Json, held: HeldRules): Json {
  const definitions = Object.assign({}, ...DEFINITIONS.map((key) => schema[key] ?? {}));
  const reader = new SchemaReader(definitions, held);
  const defs = Object.assign(
    {},
    ...DEFINITIONS.map((key) => reader.readMap(schema[key] ?? {}, `jsonSchema.${key}`, 0)),
  );
  const root = reader.read(schema, 'jsonSchema', 0);
  const whole = Object.keys(defs).length > 0 ? { ...root, $defs: defs } : root;
  if (waysOf(whole, (constant) => held.has(constant)) > MOST_WAYS) throw refuse('jsonSchema', say('schema.tooLarge'));
  return whole;
}

class SchemaReader {
  readonly #definitions: Json;
  readonly #held: HeldRules;
  #parts = 0;
  #repetitions = 0;

  /** @param definitions what may be referred to, by name */
  constructor(definitions: Json, held: HeldRules) {
    this.#definitions = definitions;
    this.#held = held;
  }

  read(schema: unknown, path: string, depth: number): Json {
    this.#spend(2, path);
    if (depth > MAX_DEPTH) throw refuse(path, say('schema.tooLarge'));
    if (schema === true) return ANYTHING;
    if (!isObject(schema)) throw refuse(path, say('schema.none'));
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref, path);
    if ('const' in schema) return this.#literal(schema.const, path);
    if ('enum' in schema) return this.#enum(schema.enum, `${path}.enum`);
    if (Array.isArray(schema.allOf)) return this.#together(schema, schema.allOf, path, depth);
    return this.#alternatives(schema, path, depth) ?? this.#readTypes(schema, path, depth);
  }

  readMap(map: unknown, path: string, depth: number): Json {
    if (!isObject(map)) throw refuse(path, say('schema.noObject'));
    return Object.fromEntries(
      Object.entries(map).map(([key, value]) => {
        this.#spend(Math.floor(key.length / PART_CHARS), path);
        return [key, this.read(value, `${path}.${key}`, depth + 1)];
      }),
    );
  }

  #spend(parts: number, path: string): void {
    this.#parts += parts;
    if (this.#parts > MAX_PARTS) throw refuse(path, say('schema.tooLarge'));
  }

  /** anyOf and oneOf are the same to a grammar. Beside properties they only say more of these. */
  #alternatives(schema: Json, path: string, depth: number): Json | undefined {
    const keyword = (['oneOf', 'anyOf'] as const).find((each) => each in schema);
    if (keyword === undefined || isObject(schema.properties)) return undefined;
    const list = listOf(schema[keyword], `${path}.${keyword}`);
    if (list.length > MAX_ALTERNATIVES) throw refuse(`${path}.${keyword}`, say('schema.tooLarge'));
    return { oneOf: list.map((entry, index) => this.read(entry, `${path}.${keyword}.${index}`, depth + 1)) };
  }

  /** allOf of one schema is that schema, as pydantic writes it; several are put together as if they were one. */
  #together({ allOf: _, ...own }: Json, list: readonly unknown[], path: string, depth: number): Json {
    const saysMore = Object.values(KEYWORDS).some((keywords) => keywords.some((keyword) => keyword in own));
    if (list.length === 1 && !saysMore) return this.read(list[0], `${path}.allOf.0`, depth + 1);
    this.#spend(list.length, path);
    const parts = [own, ...list.map((entry) => this.#target(entry))].filter(isObject);
    this.#spend(sum(parts.map(keysIn)), path);
    const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
    const required = parts.flatMap(requiredKeys);
    const described = Object.keys(properties).length > 0 && { properties, required };
    return this.read({ ...Object.assign({}, ...parts), ...described }, path, depth + 1);
  }

  #target(schema: unknown): unknown {
    const name = isObject(schema) && typeof schema.$ref === 'string' ? definitionName(schema.$ref) : undefined;
    return name !== undefined && Object.hasOwn(this.#definitions, name) ? this.#definitions[name] : schema;
  }

  #readTypes(schema: Json, path: string, depth: number): Json {
    const types = schemaTypes(schema, path);
    const [only, ...more] = types.map((type) => this.#readType(type, schema, path, depth));
    if (!only) return ANYTHING;
    return more.length > 0 ? { oneOf: [only, ...more] } : only;
  }

  #readType(type: string, schema: Json, path: string, depth: number): Json {
    if (type === 'object') return this.#readObject(schema, path, depth);
    if (type === 'array') return this.#readArray(schema, path, depth);
    if (type === 'integer' || type === 'number') return this.#readNumber(type, schema, path);
    if (type !== 'string') return { type };
    if ('pattern' in schema && !isPattern(schema.pattern)) throw refuse(`${path}.pattern`, say('schema.badPattern'));
    return stringSchema(schema, this.#bounds(schema, ['minLength', 'maxLength'], path), this.#held);
  }

  #readNumber(type: 'integer' | 'number', schema: Json, path: string): Json {
    const rule = numberRule(type, schema);
    if (rule === 'none') throw refuse(path, say('schema.nothingFits'));
    return (rule && this.#held.hold(rule)) ?? { type };
  }

  #readObject(schema: Json, path: string, depth: number): Json {
    const given = schema.properties ?? {};
    // Without properties any object is meant; with them, the described ones are enough.
    const more = schema.additionalProperties ?? (isObject(given) && Object.keys(given).length === 0);
    const unnamed = requiredKeys(schema).filter((key) => isObject(given) && !Object.hasOwn(given, key));
    if (unnamed.length > 0 && schema.additionalProperties === false) {
      throw refuse(`${path}.required`, say('schema.unnamed', { unnamed: unnamed[0] ?? '' }));
    }
    const described = isObject(given) ? { ...given, ...Object.fromEntries(unnamed.map((key) => [key, true])) } : given;
    return {
      type: 'object',
      properties: this.readMap(described, `${path}.properties`, depth),
      additionalProperties:
        typeof more === 'boolean' ? more : this.read(more, `${path}.additionalProperties`, depth + 1),
      ...this.#bounds(schema, ['minProperties', 'maxProperties'], path),
    };
  }

  #readArray(schema: Json, path: string, depth: number): Json {
    const { items, prefixItems } = schema;
    const first = prefixItems === undefined ? undefined : listOf(prefixItems, `${path}.prefixItems`);
    return {
      type: 'array',
      ...(items !== undefined && items !== false && { items: this.read(items, `${path}.items`, depth + 1) }),
      ...(first && {
        prefixItems: first.map((entry, index) => this.read(entry, `${path}.prefixItems.${index}`, depth + 1)),
      }),
      ...this.#bounds(schema, ['minItems', 'maxItems'], path),
      ...(first && items === false && { maxItems: first.length }),
    };
  }

  /** Limits of how many there are. Those that a grammar would be too large for are passed over. */
  #bounds(schema: Json, [least, most]: readonly [string, string], path: string): Json {
    const bounds: Record<string, number> = {};
    for (const keyword of [least, most]) {
      if (schema[keyword] === undefined) continue;
      const value = Number(schema[keyword]);
      if (!Number.isInteger(value) || value < 0) throw refuse(`${path}.${keyword}`, say('schema.wholeNumber'));
      bounds[keyword] = value;
    }
    if ((bounds[least] ?? 0) > (bounds[most] ?? Infinity)) throw refuse(`${path}.${most}`, say('schema.nothingFits'));
    const held = Object.entries(bounds).filter(([, value]) => value <= MAX_REPETITIONS);
    const repetitions = Math.max(0, ...held.map(([, value]) => value));
    if (this.#repetitions + repetitions > ALL_REPETITIONS) return {};
    this.#repetitions += repetitions;
    return Object.fromEntries(held);
  }

  /** What stands elsewhere in the schema than among its definitions, the check of the answer finds. */
  #reference(ref: string, path: string): Json {
    const name = definitionName(ref);
    if (name !== undefined && Object.hasOwn(this.#definitions, name)) return { $ref: `#/$defs/${name}` };
    if (name !== undefined) throw refuse(`${path}.$ref`, say('schema.noDefinition'));
    if (!ref.startsWith('#')) throw refuse(`${path}.$ref`, say('schema.reference'));
    return ANYTHING;
  }

  /** Too many values for a grammar are held by their types. */
  #enum(values: unknown, path: string): Json {
    const list = listOf(values, path);
    if (list.length <= MAX_ALTERNATIVES) {
      if (!list.every(isScalar)) return { oneOf: list.map((value) => this.#literal(value, path)) };
      this.#spend(sum(list.map(textParts)), path);
      return { enum: list };
    }
    return list.every((value) => typeof value === 'string') ? { type: 'string' } : ANYTHING;
  }

  #literal(value: unknown, path: string): Json {
    this.#spend(textParts(value), path);
    if (isScalar(value)) return { const: value };
    return this.#held.holdText(JSON.stringify(value));
  }
}

function definitionName(ref: string): string | undefined {
  return /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(ref)?.[1];
}

function schemaTypes(schema: Json, path: string): string[] {
  const { type } = schema;
  if (type === undefined) {
    return Object.keys(KEYWORDS).filter((each) => KEYWORDS[each]?.some((keyword) => keyword in schema));
  }
  const types = Array.isArray(type) ? type : [type];
  for (const entry of types) {
    if (!TYPES.includes(entry)) throw refuse(`${path}.type`, say('schema.badType', { type: JSON.stringify(entry) }));
  }
  return types;
}

function listOf(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw refuse(path, say('schema.noList'));
  return value;
}

function requiredKeys({ required }: Json): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

/** What is put together of it, and may be put together again wherever it is referred to. */
function keysIn(schema: Json): number {
  const named = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  return Object.keys(schema).length + sum([...named, ...requiredKeys(schema)].map(textParts));
}

function textParts(value: unknown): number {
  return 1 + Math.floor((JSON.stringify(value)?.length ?? 0) / PART_CHARS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** That a schema is not what an answer could be held to. */
export function refuse(field: string, why: Saying): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('schema.refused', { field, why }),
    hint: say('schema.leaveOut'),
    field,
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

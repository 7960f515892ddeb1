import { type Llama, LlamaGrammarEvaluationState, type LlamaModel } from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';

/** node-llama-cpp's JSON grammar ends every answer with it, and no JSON text holds it elsewhere: a stop string. */
export const END_OF_JSON = '\n\n\n\n';

/**
 * Holds one answer to a JSON schema.
 * @throws BAD_REQUEST when the schema makes no grammar
 */
export async function createGrammar(
  llama: Llama,
  model: LlamaModel,
  jsonSchema: Record<string, unknown>,
): Promise<LlamaGrammarEvaluationState> {
  const schema = grammarSchema(jsonSchema);
  try {
    // Its type describes schemas that are written in code.
    const made = await llama.createGrammarForJsonSchema(schema as { type: 'object' });
    const text = withFiniteNumbers(made.grammar);
    const grammar = text === made.grammar ? made : await llama.createGrammar({ grammar: text });
    return new LlamaGrammarEvaluationState({ model, grammar });
  } catch (error) {
    throw new QuarryError(
      {
        code: 'BAD_REQUEST',
        message: say('engine.noGrammar'),
        hint: say('engine.lookForLoops'),
        field: 'jsonSchema',
      },
      { cause: error },
    );
  }
}

/** How node-llama-cpp's grammar writes a whole number, and the exponent that it lets follow on any. */
const WHOLE = '"-"? ("0" | [1-9] [0-9]{0,15})';
const EXPONENT = ' ([eE] [-+]? ("0" | [1-9] [0-9]{0,15}))?';

/** Numbers as a schema means them: whole ones without an exponent (`2e-40` is none), others with one of two digits (`1e999` is none). */
function withFiniteNumbers(grammar: string): string {
  return grammar.replaceAll(WHOLE + EXPONENT, WHOLE).replaceAll(EXPONENT, ' ([eE] [-+]? [0-9]{1,2})?');
}

/**
 * JSON Schema as callers write it, into the part of it that the grammar can hold an answer to. What the grammar cannot
 * promise is an error and not ignored. Every property of an object is always written, required or not.
 */
const ANNOTATIONS = new Set([
  ...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', 'required', 'strict'],
]);
const DEFINITIONS = ['$defs', 'definitions'] as const;
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;
const FORMATS = ['date-time', 'time', 'date'];
const KEYWORDS: Record<string, readonly string[]> = {
  object: ['properties', 'additionalProperties', 'minProperties', 'maxProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'format'],
};

/** llama.cpp's grammar writes repetitions out, so that few bytes of schema may ask for a lot of memory. */
const MAX_REPETITIONS = 1_000;
const MAX_DEPTH = 64;
const MAX_NODES = 2_000;
const MAX_ALTERNATIVES = 1_000;

type Json = Record<string, unknown>;

const ANYTHING: Json = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
};

/** @throws BAD_REQUEST naming the keyword that the grammar cannot hold */
export function grammarSchema(schema: Json): Json {
  const names = DEFINITIONS.flatMap((key) => (isObject(schema[key]) ? Object.keys(schema[key]) : []));
  const reader = new SchemaReader(new Set(names));
  const defs = Object.assign(
    {},
    ...DEFINITIONS.map((key) => reader.readMap(schema[key] ?? {}, `jsonSchema.${key}`, 0)),
  );
  const root = reader.read(schema, 'jsonSchema', 0);
  return Object.keys(defs).length > 0 ? { ...root, $defs: defs } : root;
}

class SchemaReader {
  readonly #definitions: ReadonlySet<string>;
  #nodes = 0;

  /** @param definitions names that may be referred to */
  constructor(definitions: ReadonlySet<string>) {
    this.#definitions = definitions;
  }

  read(schema: unknown, path: string, depth: number): Json {
    if (++this.#nodes > MAX_NODES || depth > MAX_DEPTH) throw refuse(path, say('schema.tooLarge'));
    if (schema === true) return ANYTHING;
    if (!isObject(schema)) throw refuse(path, say('schema.none'));
    if (typeof schema.$ref === 'string') return { $ref: this.#reference(schema.$ref, path) };
    if ('const' in schema) return { const: literal(schema.const, `${path}.const`) };
    if ('enum' in schema)
      return { enum: this.#list(schema.enum, `${path}.enum`).map((v) => literal(v, `${path}.enum`)) };
    const alternatives = this.#alternatives(schema, path, depth);
    if (alternatives) return alternatives;
    return this.#readTypes(schema, path, depth);
  }

  readMap(map: unknown, path: string, depth: number): Json {
    if (!isObject(map)) throw refuse(path, say('schema.noObject'));
    return Object.fromEntries(
      Object.entries(map).map(([key, value]) => [key, this.read(value, `${path}.${key}`, depth + 1)]),
    );
  }

  /** anyOf and oneOf are the same to a grammar; allOf of one schema is that schema (as pydantic writes it). */
  #alternatives(schema: Json, path: string, depth: number): Json | undefined {
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      if (!(keyword in schema)) continue;
      refuseOthers(schema, [keyword], path);
      const list = this.#list(schema[keyword], `${path}.${keyword}`);
      return { oneOf: list.map((entry, index) => this.read(entry, `${path}.${keyword}.${index}`, depth + 1)) };
    }
    if (Array.isArray(schema.allOf) && schema.allOf.length === 1) {
      refuseOthers(schema, ['allOf'], path);
      return this.read(schema.allOf[0], `${path}.allOf.0`, depth + 1);
    }
    return undefined;
  }

  #readTypes(schema: Json, path: string, depth: number): Json {
    const types = schemaTypes(schema, path);
    refuseOthers(schema, ['type', ...types.flatMap((type) => KEYWORDS[type] ?? [])], path);
    const [only, ...more] = types.map((type) => this.#readType(type, schema, path, depth));
    if (!only) return ANYTHING;
    return more.length > 0 ? { oneOf: [only, ...more] } : only;
  }

  #readType(type: string, schema: Json, path: string, depth: number): Json {
    if (type === 'object') return this.#readObject(schema, path, depth);
    if (type === 'array') return this.#readArray(schema, path, depth);
    if (type === 'string') return readString(schema, path);
    return { type };
  }

  #readObject(schema: Json, path: string, depth: number): Json {
    const properties = this.readMap(schema.properties ?? {}, `${path}.properties`, depth);
    const unnamed = requiredKeys(schema).find((key) => !Object.hasOwn(properties, key));
    if (unnamed !== undefined) throw refuse(`${path}.required`, say('schema.unnamed', { unnamed }));
    // Without properties any object is meant; with them, the described ones are enough.
    const more = schema.additionalProperties ?? Object.keys(properties).length === 0;
    return {
      type: 'object',
      properties,
      additionalProperties:
        typeof more === 'boolean' ? more : this.read(more, `${path}.additionalProperties`, depth + 1),
      ...bounds(schema, ['minProperties', 'maxProperties'], path),
    };
  }

  #readArray(schema: Json, path: string, depth: number): Json {
    const { items, prefixItems } = schema;
    return {
      type: 'array',
      ...(items !== undefined && { items: this.read(items, `${path}.items`, depth + 1) }),
      ...(prefixItems !== undefined && {
        prefixItems: this.#list(prefixItems, `${path}.prefixItems`).map((entry, index) =>
          this.read(entry, `${path}.prefixItems.${index}`, depth + 1),
        ),
      }),
      ...bounds(schema, ['minItems', 'maxItems'], path),
    };
  }

  #reference(ref: string, path: string): string {
    const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(ref)?.[1];
    if (name === undefined) throw refuse(`${path}.$ref`, say('schema.reference'));
    if (!this.#definitions.has(name)) throw refuse(`${path}.$ref`, say('schema.noDefinition'));
    return `#/$defs/${name}`;
  }

  #list(value: unknown, path: string): unknown[] {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ALTERNATIVES) {
      throw refuse(path, say('schema.noList', { most: String(MAX_ALTERNATIVES) }));
    }
    return value;
  }
}

function schemaTypes(schema: Json, path: string): string[] {
  const { type } = schema;
  if (type === undefined) return inferredTypes(schema);
  const types = Array.isArray(type) ? type : [type];
  for (const entry of types) {
    if (!TYPES.includes(entry)) throw refuse(`${path}.type`, say('schema.badType', { type: JSON.stringify(entry) }));
  }
  return types;
}

/** A schema with «properties» and no type means an object. */
function inferredTypes(schema: Json): string[] {
  return Object.keys(KEYWORDS).filter((type) => KEYWORDS[type]?.some((keyword) => keyword in schema));
}

function readString(schema: Json, path: string): Json {
  const { format } = schema;
  if (format === undefined) return { type: 'string', ...bounds(schema, ['minLength', 'maxLength'], path) };
  if (!FORMATS.includes(String(format)) || 'minLength' in schema || 'maxLength' in schema) {
    throw refuse(`${path}.format`, say('schema.formats', { formats: FORMATS }));
  }
  return { type: 'string', format };
}

function bounds(schema: Json, keywords: readonly string[], path: string): Json {
  const present = keywords.filter((keyword) => schema[keyword] !== undefined);
  for (const keyword of present) {
    const value = Number(schema[keyword]);
    if (!Number.isInteger(value) || value < 0 || value > MAX_REPETITIONS) {
      throw refuse(`${path}.${keyword}`, say('schema.wholeNumber', { most: String(MAX_REPETITIONS) }));
    }
  }
  return Object.fromEntries(present.map((keyword) => [keyword, schema[keyword]]));
}

function requiredKeys({ required }: Json): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function literal(value: unknown, path: string): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  throw refuse(path, say('schema.literals'));
}

function refuseOthers(schema: Json, known: readonly string[], path: string): void {
  const other = Object.keys(schema).find(
    (key) => !known.includes(key) && !ANNOTATIONS.has(key) && !DEFINITIONS.some((name) => name === key),
  );
  if (other !== undefined) throw refuse(`${path}.${other}`, say('schema.cannotHold'));
}

function refuse(field: string, why: Saying): QuarryError {
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

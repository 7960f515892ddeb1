import type { HeldRules } from './held-rules.ts';
import type { Json } from './string-schema.ts';
import { nameOf } from './ways.ts';

/** Values that are put together, all in all, and alternatives that are looked at for it: an honest schema has hundreds. */
const MOST_LITERALS = 10_000;
const MOST_STEPS = 20_000;

/**
 * A schema whose lists of values are read letter by letter, as one rule each: where some begin alike, an answer is at one place of the grammar until
 * they differ. As the generator writes them it is at a place for each, and for each llama.cpp looks through the whole vocabulary: with a
 * thousand a token took half a second, for which all other answers waited.
 * @param schema as the generator takes it, with its definitions at the top
 * @returns undefined where that would be too much work
 */
export function withMergedLiterals(schema: Json, held: HeldRules): Json | undefined {
  try {
    return new LiteralMerger(schema, held).whole();
  } catch (error) {
    if (error === TOO_LARGE) return undefined;
    throw error;
  }
}

const TOO_LARGE = Symbol('too large');

class LiteralMerger {
  readonly #root: Json;
  readonly #definitions: Readonly<Record<string, Json>>;
  readonly #held: HeldRules;
  readonly #bearing = new Map<string, boolean>();
  #literals = 0;
  #steps = 0;

  constructor({ $defs, ...root }: Json, held: HeldRules) {
    this.#root = root;
    this.#definitions = ($defs ?? {}) as Record<string, Json>;
    this.#held = held;
  }

  whole(): Json {
    const $defs = this.#mapped(this.#definitions);
    return { ...this.#merge(this.#root), ...(Object.keys($defs).length > 0 && { $defs }) };
  }

  #merge(schema: Json): Json {
    if (Array.isArray(schema.enum) || this.#held.textOf(schema.const) !== undefined) return this.#oneOf([schema]);
    if (Array.isArray(schema.oneOf)) return this.#choice(schema.oneOf);
    const { properties, additionalProperties, items, prefixItems } = schema;
    return {
      ...schema,
      ...(isSchema(properties) && { properties: this.#mapped(properties as Record<string, Json>) }),
      ...(isSchema(additionalProperties) && { additionalProperties: this.#merge(additionalProperties) }),
      ...(isSchema(items) && { items: this.#merge(items) }),
      ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map((each) => this.#merge(each)) }),
    };
  }

  #mapped(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
    return Object.fromEntries(Object.entries(schemas).map(([key, each]) => [key, this.#merge(each)]));
  }

  /** Values that stand in several alternatives, also in those that are named there, are put together. */
  #choice(parts: readonly Json[]): Json {
    const bearing = parts.filter((each) => this.#bearsLiterals(each));
    if (bearing.length < 2) return { oneOf: parts.map((each) => this.#merge(each)) };
    const all = bearing.flatMap((each) => this.#alternatives(each, []));
    const { literals = [], others = [] } = Object.groupBy(all, (each) =>
      this.#isLiteral(each) ? 'literals' : 'others',
    );
    const rest = [...parts.filter((each) => !bearing.includes(each)), ...others].map((each) => this.#merge(each));
    const merged = this.#oneOf(literals);
    return rest.length > 0 ? { oneOf: [...rest, merged] } : merged;
  }

  #alternatives(schema: Json, within: readonly string[]): Json[] {
    if (++this.#steps > MOST_STEPS) throw TOO_LARGE;
    if (Array.isArray(schema.oneOf)) return schema.oneOf.flatMap((each) => this.#alternatives(each, within));
    const name = nameOf(schema);
    const named = name === undefined || within.includes(name) ? undefined : this.#definitions[name];
    return name !== undefined && named ? this.#alternatives(named, [...within, name]) : [schema];
  }

  #bearsLiterals(schema: Json): boolean {
    const name = nameOf(schema);
    if (name === undefined) return this.#looksThrough(schema, new Set());
    const bears = this.#bearing.get(name) ?? this.#looksThrough(schema, new Set());
    this.#bearing.set(name, bears);
    return bears;
  }

  #looksThrough(schema: Json, seen: Set<string>): boolean {
    if (Array.isArray(schema.oneOf)) return schema.oneOf.some((each) => this.#looksThrough(each, seen));
    const name = nameOf(schema);
    if (name === undefined) return this.#isLiteral(schema);
    const named = seen.has(name) ? undefined : this.#definitions[name];
    seen.add(name);
    return named !== undefined && this.#looksThrough(named, seen);
  }

  #isLiteral(schema: Json): boolean {
    return this.#textsOf(schema) !== undefined;
  }

  /** As JSON, the values of a list or a constant; undefined of what is neither. */
  #textsOf(schema: Json): string[] | undefined {
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value));
    if (!('const' in schema)) return undefined;
    const text = this.#held.has(schema.const) ? this.#held.textOf(schema.const) : JSON.stringify(schema.const);
    return text === undefined ? undefined : [text];
  }

  #oneOf(literals: readonly Json[]): Json {
    const texts = literals.flatMap((each) => this.#textsOf(each) ?? []);
    this.#literals += texts.length;
    if (this.#literals > MOST_LITERALS) throw TOO_LARGE;
    return this.#held.holdAll([...new Set(texts)]);
  }
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

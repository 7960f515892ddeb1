import type { Json } from './string-schema.ts';

/**
 * In how many ways at once an answer may be read: llama.cpp follows all of them with every letter, for each token that there is. Alternatives add
 * up, and what is referred to by two of them counts twice: by thirty definitions that each name the next one twice it would be a thousand million.
 * Nothing is written out for it: each definition is counted once.
 * @param schema as the generator takes it, with its definitions at the top
 * @param isOpen whether a constant stands for a rule that more than one text may fit
 * @returns Infinity where they double with each level of an answer: an alternative that leads back to itself is like another one that does
 */
export function waysOf(schema: Json, isOpen: (constant: unknown) => boolean): number {
  return new WayCounter(schema, isOpen).count();
}

class WayCounter {
  readonly #root: Json;
  readonly #definitions: Readonly<Record<string, Json>>;
  readonly #isOpen: (constant: unknown) => boolean;
  /** Of definitions: 1 of one that is being counted. */
  readonly #counted = new Map<string, number>();
  readonly #named = new Map<string, readonly string[]>();
  /** Which definitions one leads to. */
  readonly #reached = new Map<string, ReadonlySet<string>>();
  #steps = 0;

  constructor({ $defs = {}, ...root }: Json, isOpen: (constant: unknown) => boolean) {
    this.#root = root;
    this.#definitions = $defs as Record<string, Json>;
    this.#isOpen = isOpen;
  }

  count(): number {
    const names = Object.keys(this.#definitions);
    const ways = Math.max(this.#ways(this.#root), ...names.map((name) => this.#ofDefinition(name)));
    if (ways > MOST_WAYS) return ways;
    return names.some((name) => this.#doubles(this.#definitions[name], name)) ? Infinity : ways;
  }

  #ofDefinition(name: string): number {
    const known = this.#counted.get(name);
    if (known !== undefined) return known;
    this.#counted.set(name, 1);
    const ways = this.#ways(this.#definitions[name] as Json);
    this.#counted.set(name, ways);
    return ways;
  }

  #ways(schema: Json): number {
    const name = nameOf(schema);
    if (name !== undefined) return this.#ofDefinition(name);
    if (Array.isArray(schema.enum)) return schema.enum.length;
    if (schema.oneOf) return this.#ofChoice(partsOf(schema));
    const least = schema.type === 'object' || schema.type === 'array' ? OPEN_ENDED : 1;
    return Math.max(least, ...partsOf(schema).map((part) => this.#ways(part)));
  }

  /** Alternatives add up, but for objects that their first property tells apart: of these one is left when that is written. */
  #ofChoice(alternatives: readonly Json[]): number {
    let [added, apart, largest] = [0, 0, 0];
    for (const [key, some] of Map.groupBy(alternatives, (each) => this.#first(each)?.[0])) {
      const ways = some.map((each) => this.#ways(each));
      if (key !== undefined && this.#beginApart(some)) {
        apart += some.length * WHILE_TOLD_APART;
        largest = Math.max(largest, ...ways);
      } else added += ways.reduce((sum, each) => sum + each, 0);
    }
    return added + Math.max(apart, largest);
  }

  #beginApart(objects: readonly Json[]): boolean {
    const values = objects.map((each) => this.#valuesOf(this.#first(each)?.[1] ?? {}));
    const all = values.flat();
    return objects.length === 1 || (!values.includes(undefined) && new Set(all).size === all.length);
  }

  /** The first property of what is an object, by itself or by its name. */
  #first(schema: Json): [string, Json] | undefined {
    let object: Json | undefined = schema;
    for (let hops = 0; object && hops < MOST_HOPS; hops++) {
      const name = nameOf(object);
      if (name === undefined) return propertiesOf(object)[0];
      object = this.#definitions[name];
    }
  }

  /** Whether something in a definition has two alternatives that lead back to it, and that the same text may be read as. */
  #doubles(schema: Json | undefined, definition: string): boolean {
    if (!schema) return false;
    if (schema.oneOf && this.#alike(schema, definition)) return true;
    return partsOf(schema).some((part) => this.#doubles(part, definition));
  }

  #alike(choice: Json, definition: string): boolean {
    const parts = partsOf(choice).filter((each) => this.#leadsTo(each, definition));
    if (parts.length < 2) return false; // the one is looked at where it is defined
    const back = parts
      .flatMap((each) => this.#alternatives(each, []))
      .filter((each) => this.#leadsTo(each, definition));
    return (
      this.#steps > MOST_STEPS ||
      back.some((each, at) =>
        back.slice(at + 1).some((other) => ++this.#steps > MOST_STEPS || !this.#toldApart(each, other, definition)),
      )
    );
  }

  /** The objects and arrays among which one is chosen. @param within definitions that are being looked into */
  #alternatives(schema: Json, within: readonly string[]): Json[] {
    // Through definitions that name many others there are more ways than anybody could follow.
    if (++this.#steps > MOST_STEPS) return [];
    const name = nameOf(schema);
    if (name !== undefined) {
      const known = this.#definitions[name];
      return known && !within.includes(name) ? this.#alternatives(known, [...within, name]) : [];
    }
    if (schema.oneOf) return partsOf(schema).flatMap((part) => this.#alternatives(part, within));
    return schema.type === 'object' || schema.type === 'array' ? [schema] : [];
  }

  /** Two objects whose properties, in their order, differ before one leads back. */
  #toldApart(one: Json, other: Json, definition: string): boolean {
    if (one.type !== other.type) return true;
    const [ours, theirs] = [propertiesOf(one), propertiesOf(other)];
    for (const [at, [key, value]] of ours.entries()) {
      const [otherKey, otherValue] = theirs[at] ?? [];
      if (otherKey === undefined || otherValue === undefined) return false;
      if (key !== otherKey || this.#differ(value, otherValue)) return true;
      if (this.#leadsTo(value, definition) || this.#leadsTo(otherValue, definition)) return false;
    }
    return false;
  }

  /** Both are certain values, of which none is the other's. */
  #differ(one: Json, other: Json): boolean {
    const [ours, theirs] = [this.#valuesOf(one), this.#valuesOf(other)];
    return ours !== undefined && theirs !== undefined && !ours.some((value) => theirs.includes(value));
  }

  #valuesOf(schema: Json): unknown[] | undefined {
    if (Array.isArray(schema.enum)) return schema.enum;
    return 'const' in schema && !this.#isOpen(schema.const) ? [schema.const] : undefined;
  }

  #leadsTo(schema: Json, definition: string): boolean {
    const name = nameOf(schema);
    if (name !== undefined) return name === definition || this.#reachedFrom(name).has(definition);
    return partsOf(schema).some((part) => this.#leadsTo(part, definition));
  }

  #reachedFrom(start: string): ReadonlySet<string> {
    const known = this.#reached.get(start);
    if (known) return known;
    const reached = new Set<string>();
    const open = [...this.#namedIn(start)];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (!reached.has(name)) open.push(...this.#namedIn(name));
      reached.add(name);
    }
    this.#reached.set(start, reached);
    return reached;
  }

  #namedIn(definition: string): readonly string[] {
    const known = this.#named.get(definition) ?? namesIn(this.#definitions[definition] as Json);
    this.#named.set(definition, known);
    return known;
  }
}

/** Of a schema in all, so that a token takes milliseconds. Honest ones have dozens, and long lists of values hundreds. */
export const MOST_WAYS = 2_000;
/** An object or an array may stay one of several ways to its end, a value only for some letters. */
const OPEN_ENDED = 10;
const WHILE_TOLD_APART = 2;
/** Names of names: behind more of them nothing is told apart. */
const MOST_HOPS = 10;
/** Alternatives that are looked for and compared, all in all: more count as alike. */
const MOST_STEPS = 20_000;

/** Of the definition that a schema stands for. */
export function nameOf({ $ref }: Json): string | undefined {
  return typeof $ref === 'string' ? $ref.slice('#/$defs/'.length) : undefined;
}

function namesIn(schema: Json): string[] {
  const name = nameOf(schema);
  return name === undefined ? partsOf(schema).flatMap(namesIn) : [name];
}

function propertiesOf({ properties }: Json): [string, Json][] {
  return Object.entries((properties ?? {}) as Record<string, Json>);
}

/** The schemas that a schema is made of. */
function partsOf(schema: Json): Json[] {
  const { oneOf = [], properties = {}, additionalProperties, items, prefixItems = [] } = schema;
  const parts = [...(oneOf as unknown[]), ...Object.values(properties as object), ...(prefixItems as unknown[])];
  return [...parts, additionalProperties, items].filter((part): part is Json => typeof part === 'object');
}

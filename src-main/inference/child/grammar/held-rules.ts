import { randomUUID } from 'node:crypto';

/**
 * Places at which a grammar may be at once, of all rules of a schema together: for each, llama.cpp looks through the whole vocabulary with every
 * token. A schema of an honest program has dozens.
 */
const MOST_PLACES = 1_000;

/** A rule of GBNF. */
export interface Rule {
  rule: string;
  /** How many places it has at which a grammar may be, where it is not sure at which. */
  places: number;
}

/**
 * Rules of GBNF for what node-llama-cpp's generator has no words for. In the schema that it is given stands a constant in the place of each, which
 * nobody can have meant, and in the grammar that it makes the rule takes the constant's place.
 */
export class HeldRules {
  readonly #mark = randomUUID();
  readonly #numbers = new Map<string, number>();

  #places = 0;

  /** @returns a schema to stand for what is so at this place; undefined where the rules before it have left no room */
  hold({ rule, places }: Rule): { const: string } | undefined {
    if (this.#places + places > MOST_PLACES) return undefined;
    this.#places += places;
    const number = this.#numbers.get(rule) ?? this.#numbers.size;
    this.#numbers.set(rule, number);
    return { const: `${this.#mark}-${number}` };
  }

  /** Whether a constant stands for a rule. */
  has(constant: unknown): boolean {
    return typeof constant === 'string' && constant.startsWith(this.#mark);
  }

  /** The grammar with the rules in it. */
  putInto(grammar: string): string {
    if (this.#numbers.size === 0) return grammar;
    const rules = [...this.#numbers.keys()];
    const named = grammar.replaceAll(new RegExp(`"\\\\"${this.#mark}-(\\d+)\\\\""`, 'g'), 'held$1');
    return [named, ...rules.map((rule, at) => `held${at} ::= ${rule}`)].join('\n');
  }
}

/** One piece of JSON, letter for letter. */
export function literal(json: string): string {
  return `"${json.replaceAll(/[\\"]/g, '\\$&')}"`;
}

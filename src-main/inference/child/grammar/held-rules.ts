import { randomUUID } from 'node:crypto';
import { textsRule } from './texts-rule.ts';

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
  readonly #texts = new Map<unknown, string>();
  #places = 0;

  /** @returns a schema to stand for what is so at this place; undefined where the rules before it have left no room */
  hold({ rule, places }: Rule): { const: string } | undefined {
    if (this.#places + places > MOST_PLACES) return undefined;
    this.#places += places;
    return { const: `${this.#mark}-${this.#numberOf(rule)}` };
  }

  /** One piece of JSON, letter for letter; it has no rule until {@link holdAll} makes one of it. */
  holdText(text: string): { const: string } {
    const constant = `${this.#mark}-text-${this.#texts.size}`;
    this.#texts.set(constant, text);
    return { const: constant };
  }

  /** The piece of JSON that a constant stands for; undefined where it stands for none, or for itself. */
  textOf(constant: unknown): string | undefined {
    return this.#texts.get(constant);
  }

  /** @param texts pieces of JSON, each once @returns a schema to stand for one of them; it is at one place until they differ */
  holdAll(texts: readonly string[]): { const: string } {
    const rule = textsRule(texts, (part) => `held${this.#numberOf(part)}`);
    return { const: `${this.#mark}-${this.#numberOf(rule)}` };
  }

  #numberOf(rule: string): number {
    const number = this.#numbers.get(rule) ?? this.#numbers.size;
    this.#numbers.set(rule, number);
    return number;
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

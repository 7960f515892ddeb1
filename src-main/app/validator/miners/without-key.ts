import type { Logger } from 'pino';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { Said } from '../../../../src-preload/contract/saying.ts';
import { HIDDEN, writtenForms } from '../../../diagnostics/redactor.ts';

/** A shorter key («EMPTY», «none») is no secret, and may be a part of what was asked for. */
const LEAST = 8;

/**
 * Takes the key that a server was told out of what it says: a server may repeat it, in an answer or in an error, and both are kept, exported and shared.
 * Found is the key as it is, in JSON, also in JSON that is a text in JSON, in an address and in base64; a server that wants to hide it from this has
 * other ways, and has the key anyway.
 */
export class WithoutKey {
  readonly #forms: readonly string[];
  /** The key in patterns, one for each of its characters. */
  readonly #parts: readonly string[];
  readonly #whole: RegExp;
  readonly #key: string;

  /** @param key shorter than eight characters: nothing is taken out */
  constructor(key: string) {
    this.#key = key.length < LEAST ? '' : key;
    this.#forms = this.#key ? writtenForms(this.#key).toSorted((a, b) => b.length - a.length) : [];
    this.#parts = partsInJson(this.#key);
    this.#whole = new RegExp(this.#parts.join(''), 'g');
  }

  text(text: string): string {
    const clean = this.#forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
    return this.#parts.length < LEAST ? clean : this.#withoutBeginning(clean.replace(this.#whole, HIDDEN));
  }

  /** The same error without the key. What caused it is left out: its words are the server’s, too. */
  error(error: unknown): QuarryError {
    const failure = QuarryError.from(error);
    if (!this.#key) return failure;
    const { code, message, hint, field, said, retryable, retryAfterMs } = failure;
    return new QuarryError({
      ...{ code, retryable, retryAfterMs },
      message: this.text(message),
      hint: hint === undefined ? undefined : this.text(hint),
      field: field === undefined ? undefined : this.text(field),
      said: said && (this.#fields(said) as Said),
    });
  }

  /** A log that does not get to see it either. */
  log(log: Logger): Logger {
    if (!this.#key) return log;
    return log.child({}, { formatters: { log: (fields: object) => this.#fields(fields) } });
  }

  #within(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (value instanceof Error) return this.error(value);
    if (Array.isArray(value)) return value.map((part) => this.#within(part));
    return typeof value === 'object' && value !== null ? this.#fields(value) : value;
  }

  #fields(fields: object): object {
    return Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, this.#within(part)]));
  }

  /** What is too long is cut off, an answer at its end, an error before «…»: perhaps amid the key. */
  #withoutBeginning(text: string): string {
    if (!new RegExp(this.#parts.slice(0, LEAST).join('')).test(text)) return text;
    for (let length = this.#parts.length - 1; length >= LEAST; length--) {
      const begun = new RegExp(`${this.#parts.slice(0, length).join('')}\\\\*(?=…|$)`, 'g');
      const clean = text.replace(begun, HIDDEN);
      if (clean !== text) return clean;
    }
    return text;
  }
}

/**
 * A pattern for each character of a key, as it may stand in JSON that is a text in JSON, however often: what is no letter or digit has backslashes
 * before it, or a number instead. Each begins or ends with something that is no backslash, so that a text full of these is read once.
 */
function partsInJson(key: string): string[] {
  const characters = key.replace(/^\\+|\\+$/g, '').match(/\\*[^\\]/g) ?? [];
  return characters.map((character, at) => {
    if (/^[a-z\d]$/i.test(character)) return character;
    const number = character
      .charCodeAt(character.length - 1)
      .toString(16)
      .padStart(4, '0');
    const slashes = character.length > 1 ? '\\\\+' : '\\\\*';
    return `${at === 0 ? '' : slashes}(?:\\u${number}|u${number}|u${number.toUpperCase()})`;
  });
}

import { GgufError, quoted } from './gguf-error.ts';
import { isSkipped, type Metadata } from './metadata.ts';

/** Numbers of a model’s own metadata (`<architecture>.<key>`), each checked to be a sane one. */
export class MetadataReader {
  readonly #metadata: Metadata;
  readonly #prefix: string;

  constructor(metadata: Metadata, architecture: string) {
    this.#metadata = metadata;
    this.#prefix = `${architecture}.`;
  }

  has(key: string): boolean {
    return this.#metadata.has(this.#prefix + key);
  }

  isArray(key: string): boolean {
    return Array.isArray(this.#metadata.get(this.#prefix + key));
  }

  /** @throws GgufError when there is none, or it is no whole number from 1 to `most` */
  count(key: string, most: number): number {
    const value = this.optional(key, most);
    if (value === undefined || value < 1) throw new GgufError(`its metadata lacks ${quoted(this.#prefix + key)}`);
    return value;
  }

  /** Undefined where there is none. @throws GgufError when it is no whole number from 0 to `most` */
  optional(key: string, most: number): number | undefined {
    const value = this.#metadata.get(this.#prefix + key);
    return value === undefined ? undefined : this.#checked(key, value, most);
  }

  /**
   * One number for each layer: as they are, or the same for all.
   * @throws GgufError
   */
  perLayer(key: string, layers: number, most: number): number[] | undefined {
    const value = this.#metadata.get(this.#prefix + key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return new Array<number>(layers).fill(this.#checked(key, value, most));
    if (value.length < layers) throw new GgufError(`${quoted(this.#prefix + key)} has too few values`);
    return value.slice(0, layers).map((item) => this.#checked(key, Number(item), most));
  }

  #checked(key: string, value: unknown, most: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
    throw new GgufError(`its ${quoted(this.#prefix + key)} is not a number from 0 to ${most}`);
  }
}

/** Elements of an array, whether it was kept or skipped; undefined where there is none. */
export function lengthOf(metadata: Metadata, key: string): number | undefined {
  const value = metadata.get(key);
  return typeof value === 'object' ? value.length : undefined;
}

/** A text, where there is one that was kept. */
export function textOf(metadata: Metadata, key: string): string | undefined {
  const value = metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}

/** Whether there is a text, however long. */
export function hasText(metadata: Metadata, key: string): boolean {
  const value = metadata.get(key);
  return value !== undefined && (typeof value === 'string' || (isSkipped(value) && value.skipped === 'text'));
}

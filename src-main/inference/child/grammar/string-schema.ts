import type { HeldRules } from './held-rules.ts';
import { patternRule } from './pattern-rule.ts';

export type Json = Record<string, unknown>;

/** Those that node-llama-cpp's generator knows. */
const FORMATS = ['date-time', 'time', 'date'];

const LABEL = '[A-Za-z0-9]+(-[A-Za-z0-9]+)*';
const BYTE = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';

/** Others, as patterns that a little less fits than the format. */
const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  uuid: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  email: `^[A-Za-z0-9_+-]+(\\.[A-Za-z0-9_+-]+)*@${LABEL}(\\.${LABEL})+$`,
  hostname: `^${LABEL}(\\.${LABEL})*$`,
  ipv4: `^(${BYTE}\\.){3}${BYTE}$`,
  uri: '^[a-z][a-z0-9+.-]*:[A-Za-z0-9_.~:/?#@!$&()*+,;=-]+$',
};

/**
 * What a grammar holds of a string: its pattern, or else its format, or else its length.
 * @param length its limits, those that a grammar is not too large for
 */
export function stringSchema({ pattern, format }: Json, length: Json, held: HeldRules): Json {
  for (const each of [pattern, patternOf(format)]) {
    const rule = typeof each === 'string' ? patternRule(each) : undefined;
    const schema = rule && held.hold(rule);
    if (schema) return schema;
  }
  if (typeof format === 'string' && FORMATS.includes(format)) return { type: 'string', format };
  return { type: 'string', ...length };
}

/** Whether it is a regular expression of ECMAScript: nothing can be held to another. */
export function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') !== undefined;
  } catch {
    return false; // told by who asks
  }
}

function patternOf(format: unknown): string | undefined {
  return typeof format === 'string' && Object.hasOwn(FORMAT_PATTERNS, format) ? FORMAT_PATTERNS[format] : undefined;
}

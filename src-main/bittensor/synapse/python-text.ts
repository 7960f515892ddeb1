import { z } from 'zod';

/** Below this power of ten, and from that one on, Python writes floats with an exponent. */
const EXPONENT_BELOW = -4;
const EXPONENT_FROM = 16;
/** What Python's `repr` writes as it is: everything but controls, unassigned characters and blanks other than the space. */
const NOT_PRINTABLE = /[\p{C}\p{Z}]/u;

/**
 * A value as Python's `str()` writes it, once pydantic has read it into a field of this type: a whole number is `1.0` in a field for
 * floats and `1` in one for integers. Where the type leaves it open (`z.unknown()`), a whole number counts as an integer. What JavaScript
 * loses of JSON is lost here too: whole numbers beyond 2^53, `1.0` where the type is open, the order of keys that look like numbers. Who
 * wants to be understood by everybody hashes fields of text only.
 */
export function pythonStr(value: unknown, type: z.core.$ZodType = z.unknown()): string {
  return typeof value === 'string' ? value : pythonRepr(value, type);
}

function pythonRepr(value: unknown, given: z.core.$ZodType): string {
  const type = inner(given);
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return isFloat(value, type) ? floatRepr(value) : String(value);
  if (typeof value === 'string') return stringRepr(value);
  if (Array.isArray(value)) return `[${value.map((each) => pythonRepr(each, elementOf(type))).join(', ')}]`;
  const entries = Object.entries(value).map(([key, each]) => {
    return `${stringRepr(key)}: ${pythonRepr(each, entryOf(type, key))}`;
  });
  return `{${entries.join(', ')}}`;
}

const UNKNOWN = z.unknown();

/** The type itself, without what says that it may be missing. */
function inner(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable || type instanceof z.ZodDefault) {
    return inner(type.def.innerType);
  }
  return type;
}

function elementOf(type: z.core.$ZodType): z.core.$ZodType {
  return type instanceof z.ZodArray ? type.def.element : UNKNOWN;
}

function entryOf(type: z.core.$ZodType, key: string): z.core.$ZodType {
  if (type instanceof z.ZodRecord) return type.def.valueType;
  return (type instanceof z.ZodObject && (type.shape as Record<string, z.core.$ZodType>)[key]) || UNKNOWN;
}

function isFloat(value: number, type: z.core.$ZodType): boolean {
  return !Number.isInteger(value) || (type instanceof z.ZodNumber && !type.isInt);
}

/** The fewest digits that name the number, as JavaScript finds them too; the two write them differently. */
function floatRepr(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e');
  const exponent = Number(power);
  if (exponent < EXPONENT_BELOW || exponent >= EXPONENT_FROM) {
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  const digits = mantissa.replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let written = '';
  for (const character of text) written += character === quote ? `\\${quote}` : escaped(character);
  return `${quote}${written}${quote}`;
}

function escaped(character: string): string {
  const known = ESCAPES[character];
  if (known || character === ' ' || !NOT_PRINTABLE.test(character)) return known ?? character;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/**
 * Most commas and colons outside of texts in JSON that a stranger sends: its entries, its keys, and these once more. The fullest
 * honest message is the mesh's 200 tokens with 20 alternatives each: 90,000 where every token has 15 bytes.
 */
export const MAX_JSON_MARKS = 131_072;
/**
 * Objects and arrays within one another in JSON that a stranger sends. The deepest honest one is a request with a schema of 30 levels
 * in the body of an API, which adds four; what nests thousands deep ends whoever writes or copies it with a full stack.
 */
export const MAX_JSON_LEVELS = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * What of JSON is over its limits, counted outside of strings before it is parsed: JSON.parse recurses, and builds whatever it is
 * sent, at a hundred times the bytes. Whether it is JSON at all is not looked at.
 * @param body UTF-8
 * @param maxDepth objects and arrays within one another
 * @param maxMarks commas and colons
 * @param maxOpened objects and arrays, wherever they are. Default: any number
 * @param maxKeys most keys of an object, by its level from the outermost on; the last number counts for all below. Default: any number
 */
export function jsonExcess(
  body: Uint8Array,
  maxDepth = MAX_JSON_LEVELS,
  maxKeys: readonly number[] = [],
  maxMarks = MAX_JSON_MARKS,
  maxOpened = Number.POSITIVE_INFINITY,
): 'depth' | 'marks' | 'keys' | 'opened' | undefined {
  /** Of the object that is open at each level, how many keys more it may have. */
  const keysLeft = new Int32Array(maxDepth + 1).fill(MAX_JSON_MARKS);
  const keysBelow = maxKeys.at(-1) ?? MAX_JSON_MARKS;
  let depth = 0;
  let marks = 0;
  let opened = 0;
  let inString = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) return 'depth';
      if (++opened > maxOpened) return 'opened';
      keysLeft[depth] = maxKeys[depth - 1] ?? keysBelow;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === COMMA || byte === COLON) {
      if (++marks > maxMarks) return 'marks';
      const left = keysLeft[depth] ?? 1;
      if (byte === COLON && left === 0) return 'keys';
      if (byte === COLON) keysLeft[depth] = left - 1;
    }
  }
  return undefined;
}

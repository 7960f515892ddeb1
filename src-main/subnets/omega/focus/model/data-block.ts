/*
 * What a recording shows, and what its owner wrote, reaches the model as data in blocks. A block is three lines: the opening one and the closing one carry a
 * token that was drawn for this question alone, and what is between them is JSON on one line. Inside its strings nothing is left as it was that could stand
 * for a border: of a block, of a chat template (`<|…|>`, `[INST]`), of a quotation (backquotes), nor what cannot be seen.
 */

/** Borders, what looks like them, and what steers a text or cannot be seen. */
const UNSAFE = /[<>[\]`＜＞﹤﹥‹›«»〈〉《》⟨⟩［］【】\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

/** @param token drawn for one question, hex. @param value what JSON can hold */
export function dataBlock(token: string, name: string, value: unknown): string {
  return `<<<${token} ${name}\n${dataJson(value)}\n>>>${token}`;
}

/** JSON on one line; read again, it is the same value. */
export function dataJson(value: unknown): string {
  return JSON.stringify(value).replace(JSON_STRING, (text) => text.replace(UNSAFE, escaped));
}

/** A character beyond U+FFFF is two escapes. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

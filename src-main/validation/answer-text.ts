/** Of an answer only so much is read and kept, UTF-16 units: what is asked for fits into much less. */
export const MOST_ANSWER = 60_000;

/** Of an answer that is worth nothing so much is kept, UTF-16 units: who answers wrongly does not fill the database. */
export const MOST_WRONG_ANSWER = 4_000;

/** But for what ends lines and indents them. */
const CONTROLS = /(?![\n\r\t])\p{Cc}/gu;

/**
 * What is judged of an answer, and kept: its beginning, without half characters and signs for terminals, which no database takes or which would be
 * kept as six characters each.
 */
export function judgedText(answer: string): string {
  return storable(answer, MOST_ANSWER);
}

/** The beginning of a text, without half a character at its end. @param most UTF-16 units */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const isCut = /[\ud800-\udbff]$/.test(text.slice(0, most));
  return text.slice(0, isCut ? most - 1 : most);
}

/** What a stranger said, so that every database takes it. @param most UTF-16 units */
export function storable(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replace(CONTROLS, '\ufffd');
}

const THOUGHT = /<(\/?)think(?:ing)?>/gi;

/**
 * What a model says after it has thought aloud. Where its prompt has begun the thought, only the end of it is there. Answers are hostile: this
 * passes once over them.
 */
export function withoutThoughts(text: string): string {
  let said = '';
  let at = 0;
  let depth = 0;
  for (const { 0: tag, 1: ends, index } of text.matchAll(THOUGHT)) {
    if (ends) said = depth === 0 ? '' : said;
    else if (depth === 0) said += text.slice(at, index);
    depth = ends ? Math.max(0, depth - 1) : depth + 1;
    at = index + tag.length;
  }
  return depth === 0 ? said + text.slice(at) : said;
}

/** What stands in the last `<NAME>…</NAME>`, however the name is written; undefined where there is none. @param name letters */
export function lastBlock(text: string, name: string): string | undefined {
  let opened: number | undefined;
  let block: string | undefined;
  for (const { 0: tag, 1: ends, index } of text.matchAll(new RegExp(`<(/?)${name}>`, 'gi'))) {
    if (ends && opened !== undefined) block = text.slice(opened, index);
    opened = ends ? undefined : index + tag.length;
  }
  return block;
}

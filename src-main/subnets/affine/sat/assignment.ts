const VALUE = /\bx_?(\d{1,4})[*`\s]{0,8}[=:][*`\s]{0,8}(true|false|1|0)\b/gi;
/** What may stand between two values of one list. */
const BETWEEN = /^[\s,;.&|*`()[\]{}-]*(?:and)?[\s*`]*$/i;
const MOST_BETWEEN = 32;

/**
 * The values that an answer gives, by the number of the variable: the last list that has all of them, or else the last value of each. Who thinks
 * aloud first, or explains afterwards, is judged by the list.
 */
export function readAssignment(text: string, variables: number): Map<number, boolean> {
  const all = new Map<number, boolean>();
  let list = new Map<number, boolean>();
  let whole: Map<number, boolean> | undefined;
  let end = 0;
  for (const { 0: match, 1: name, 2: value, index } of text.matchAll(VALUE)) {
    const variable = Number(name);
    if (variable < 1 || variable > variables) continue;
    const between = text.slice(end, Math.min(index, end + MOST_BETWEEN + 1));
    if (list.has(variable) || between.length > MOST_BETWEEN || !BETWEEN.test(between)) list = new Map();
    const isTrue = value === '1' || value?.toLowerCase() === 'true';
    list.set(variable, isTrue);
    all.set(variable, isTrue);
    if (list.size === variables) whole = list;
    end = index + match.length;
  }
  return whole ?? all;
}

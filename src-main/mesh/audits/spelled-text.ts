/** A token as the auditor's model writes it. */
export interface Spelled {
  /** As text, where it is some. */
  token: string;
  bytes: readonly number[];
}

/** What marks turns and ends, and is no text: `<|im_end|>`, `[INST]`, `</s>`. */
const CONTROL = /^(<.*>|\[.*\])$/s;

/**
 * Whether a text is what tokens spell: from the first on, without what is no text; a stop text, and a character that is not whole, may be missing at its end.
 * Else whoever says that he chose these tokens has shown another text.
 * @param isWhole whether these are all tokens of the text
 */
export function spells(tokens: readonly Spelled[], text: string, { isWhole }: { isWhole: boolean }): boolean {
  const wanted = Buffer.from(text);
  let at = 0;
  for (const { token, bytes } of tokens) {
    if (at >= wanted.length) return true;
    const rest = wanted.subarray(at, at + bytes.length);
    if (rest.equals(Buffer.from(bytes).subarray(0, rest.length))) at += bytes.length;
    else if (!CONTROL.test(token)) return isUnfinished(wanted.subarray(at));
  }
  return !isWhole || isUnfinished(wanted.subarray(at));
}

/** Characters that are not whole are shown as U+FFFD. */
const isUnfinished = (rest: Buffer) => /^\uFFFD*$/.test(rest.toString());

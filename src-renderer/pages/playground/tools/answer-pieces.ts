import type { ToolUse } from '../../../../src-preload/contract/conversations.ts';

/** Text of an answer, or a tool that was used between two texts. */
export type AnswerPiece = { text: string } | { use: ToolUse };

/** An answer in the order in which it came. */
export function answerPieces(text: string, uses: readonly ToolUse[] = []): AnswerPiece[] {
  if (uses.length === 0) return text === '' ? [] : [{ text }];
  const pieces: AnswerPiece[] = [];
  let from = 0;
  const say = (to: number) => {
    const said = text.slice(from, to).replace(/^\n+|\n+$/g, '');
    if (said.trim() !== '') pieces.push({ text: said });
    from = Math.max(from, to);
  };
  for (const use of uses) {
    say(use.at);
    pieces.push({ use });
  }
  say(text.length);
  return pieces;
}

/** What a tool was given, in short: the values, without their names. What a model wrote may be anything. */
export function givenTo({ arguments: json }: Pick<ToolUse, 'arguments'>): string {
  try {
    const given: unknown = JSON.parse(json);
    if (typeof given !== 'object' || given === null) return json;
    const values = Object.values(given).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    return values.join(', ');
  } catch {
    return json; // a model wrote it
  }
}

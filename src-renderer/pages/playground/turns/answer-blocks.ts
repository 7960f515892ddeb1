/** A piece of an answer that is looked at for itself. */
export interface Block {
  text: string;
  /** `prose` is read as Markdown together with the prose around it, `code` for itself; `plain` is shown letter for letter. */
  kind: 'prose' | 'code' | 'plain';
  /** What its piece has left open where it was cut for its length: the rest is as plain. */
  open: string | undefined;
  /** Columns of the list markers that stand around what follows. */
  lists: readonly number[];
  /** What may still be read after it, in characters of ordinary text; once it is 0, all that follows is plain. */
  left: number;
}

/** Longest block that is read, and longest piece of plain text, in characters. */
const MAX_BLOCK_CHARS = 16_384;
/** Quotes and lists within one another. */
const MAX_LEVELS = 24;
/** Characters of one block that may begin or end something within a line: readers compare each with all others. */
const MAX_MARKS = 1_000;
/** Cells of one table, those counted that are not written: a reader fills every row up. */
const MAX_CELLS = 2_000;
/** What is read of one answer, in characters of ordinary text: a long one takes a fraction of a second. What is beyond is plain. */
const MAX_COST = 100_000;

/** A line with its end, if it has come. */
const LINE = /([^\r\n]*)(\r\n|\n|\r|)/y;
/**
 * A line that begins code, whatever stands before it. An indented one may be part of a list, or none: only a reader knows,
 * so it counts as prose.
 */
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const MARKS = /[*_~[\]<`!]/g;
const MARKERS = /[ \t]*(?:(>)|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;
/** Before the first block: nothing is open, nothing spent. */
const START = { open: undefined, lists: [], left: MAX_COST };

/**
 * Cuts an answer at empty lines and around code, and decides of each block whether it may be read as Markdown. A model, and
 * who hands its words on, may write anything: what would take long to read or nest too deep is shown as it is. The work is
 * linear in the length of the text. Joined, the blocks are the text again; a block that is not the last never changes while
 * text is added.
 *
 * @param before the blocks of a text that this one begins with: only its last block is looked at again
 */
export function answerBlocks(text: string, before: readonly Block[] = []): Block[] {
  const blocks = before.slice(0, -1);
  let at = blocks.reduce((sum, block) => sum + block.text.length, 0);
  while (at < text.length) {
    const last = blocks.at(-1) ?? START;
    const window = text.slice(at, at + MAX_BLOCK_CHARS + 1);
    const block = last.left > 0 ? judged(nextBlock(window, last), last) : plainPiece(window);
    blocks.push(block);
    at += block.text.length;
  }
  return blocks;
}

/** A piece of what follows when all is spent: as many lines as it may have. */
function plainPiece(window: string): Block {
  const lines = window.length > MAX_BLOCK_CHARS ? window.lastIndexOf('\n', MAX_BLOCK_CHARS - 1) + 1 : window.length;
  return {
    text: window.slice(0, lines || wholeCharacters(window)),
    kind: 'plain',
    open: undefined,
    lists: [],
    left: 0,
  };
}

/** A block by its bounds alone. */
type Cut = Pick<Block, 'text' | 'kind' | 'open'>;

/** @param window what follows, and one character more than a block may have */
function nextBlock(window: string, { open }: Pick<Block, 'open'>): Cut {
  let fence = open;
  let hasWords = open !== undefined;
  let at = 0;
  const cut = (end: number, stillOpen?: string): Cut => ({
    text: window.slice(0, end),
    kind: open !== undefined || stillOpen !== undefined ? 'plain' : fence ? 'code' : 'prose',
    open: stillOpen,
  });
  while (at < window.length) {
    const [all, line, end] = lineAt(window, at);
    if (at + all.length > MAX_BLOCK_CHARS) return cut(at > 0 ? at : wholeCharacters(window), fence ?? '');
    // Of a line that is not whole, nobody knows yet what it begins.
    const begins = fence || !end || (at === 0 && open !== undefined) ? undefined : FENCE.exec(line)?.[0];
    if (begins && at > 0) return cut(at);
    at += all.length;
    if (begins) fence = begins;
    else if (fence ? closes(line, fence) : hasWords && end && line.trim() === '') return cut(at);
    hasWords ||= line.trim() !== '';
  }
  return cut(at);
}

function lineAt(text: string, at: number): [all: string, line: string, end: string] {
  LINE.lastIndex = at;
  const [all = '', line = '', end = ''] = LINE.exec(text) ?? [];
  return [all, line, end];
}

function closes(line: string, fence: string): boolean {
  const [, end = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
  return end.length >= fence.length && end[0] === fence[0];
}

/** Where a line that is too long is cut: between two characters, not in one that takes two code units. */
function wholeCharacters(text: string): number {
  return /[\uDC00-\uDFFF]/.test(text[MAX_BLOCK_CHARS] ?? '') ? MAX_BLOCK_CHARS - 1 : MAX_BLOCK_CHARS;
}

/** The block with its kind decided: what is too dear, or nests too deep, is plain. */
function judged({ text, kind, open }: Cut, { lists: around, left }: Pick<Block, 'lists' | 'left'>): Block {
  const plain: Block = { text, kind: 'plain', open, lists: [], left: Math.max(0, left - COST.block) };
  if (kind === 'plain') return plain;
  const { tame, cost, lists } = kind === 'code' ? { tame: true, cost: text.length, lists: [] } : measured(text, around);
  if (!tame) return plain;
  const rest = left - (kind === 'code' ? COST.codeBlock : COST.block) - cost;
  return rest < 0 ? { ...plain, left: 0 } : { text, kind, open, lists, left: rest };
}

/** In characters of ordinary text, as measured. Marks cost their square. */
const COST = { block: 50, codeBlock: 500, line: 20, cell: 10, marksForOne: 16 };

/** Whether prose may be read, what that costs, and the lists that may go on after it. */
function measured(text: string, around: readonly number[]) {
  let lists = [...around];
  let levels = 0;
  let columns = 1;
  const lines = text.split(/\r\n|\n|\r/);
  for (const line of lines) {
    const found = markersOf(line);
    const [first] = found.lists;
    if (first !== undefined) lists = [...lists.filter((column) => column < first), ...found.lists];
    levels = Math.max(levels, found.quotes + lists.length);
    if (levels > MAX_LEVELS) break;
    columns = Math.max(columns, line.split('|').length);
  }
  const marks = text.match(MARKS)?.length ?? 0;
  const cells = columns > 1 ? columns * lines.length : 0;
  return {
    lists,
    tame: levels <= MAX_LEVELS && marks <= MAX_MARKS && cells <= MAX_CELLS,
    cost: text.length + lines.length * COST.line + cells * COST.cell + Math.ceil(marks ** 2 / COST.marksForOne),
  };
}

/**
 * What a line begins with. A list around the line may show by nothing but the spaces before its own markers, so their columns
 * are kept; a quote has its mark on every line.
 */
function markersOf(line: string): { quotes: number; lists: number[] } {
  const lists: number[] = [];
  let quotes = 0;
  let column = 0;
  MARKERS.lastIndex = 0;
  for (let found = MARKERS.exec(line); found && quotes + lists.length <= MAX_LEVELS; found = MARKERS.exec(line)) {
    const [all, quote] = found;
    for (const character of all) column += character === '\t' ? 4 - (column % 4) : 1;
    if (quote) quotes++;
    else lists.push(column);
  }
  return { quotes, lists };
}

/** Blocks that are shown as one. */
export type Part = Pick<Block, 'text' | 'kind'>;

/**
 * What is shown as one piece: prose of a whole answer, since a list goes on after an empty line; while the answer grows every
 * block is by itself, so that only the last is read anew. Plain text goes together as far as it is not too long.
 */
export function answerParts(blocks: readonly Block[], growing: boolean): Part[] {
  const parts: Part[] = [];
  for (const { text, kind } of blocks) {
    const last = parts.at(-1);
    const together =
      kind === 'plain' ? (last?.text.length ?? 0) + text.length <= MAX_BLOCK_CHARS : kind === 'prose' && !growing;
    if (last && last.kind === kind && together) last.text += text;
    else parts.push({ text, kind });
  }
  return parts;
}

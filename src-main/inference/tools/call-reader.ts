import { MAX_ARGUMENTS_CHARS, MAX_TOOL_CALLS } from '../../../src-preload/contract/limits.ts';
import type { ToolCall } from '../../../src-preload/contract/request.ts';
import type { ToolStyle } from '../backend.ts';
import { CLOSED, callsIn, OPENED } from './call-text.ts';
import { JsonScan } from './json-scan.ts';

/** Longest text that is held back because it may become a call, in characters. */
const MAX_HELD = MAX_ARGUMENTS_CHARS + 1_000;
/**
 * Beginnings of calls in one answer that may turn out to be none; behind them all is text. Each is read again from its own place, so without an
 * end a short answer full of them would keep a processor busy for hours.
 */
const MAX_FAILED = 32;

const PYTHON_TAG = '<|python_tag|>';
const TOOL_CALLS = '[TOOL_CALLS]';
const TAGS = [OPENED, PYTHON_TAG, TOOL_CALLS] as const;
type Opener = '' | (typeof TAGS)[number];

/** Which begin a call. The first one is read of everybody: it is how a call is written to those who have learned no way. */
const OPENERS: Record<ToolStyle, readonly Opener[]> = {
  tags: [OPENED],
  json: [OPENED, PYTHON_TAG],
  mistral: [OPENED, TOOL_CALLS],
};

/** The next of them, in one search: one for each would look through the whole rest again for those that are not there. */
const NEXT_OPENER: Record<ToolStyle, RegExp> = {
  tags: /<tool_call>/,
  json: /<tool_call>|<\|python_tag\|>/,
  mistral: /<tool_call>|\[TOOL_CALLS\]/,
};

/** What may stand behind a call and is no text. Llama writes `;` between two. */
const AFTER: Record<Opener, string> = { [OPENED]: CLOSED, [PYTHON_TAG]: ';', '': ';', [TOOL_CALLS]: '' };

/** Mistral's newer models write the tool's name before its arguments. */
const NAMED = /^\s{0,100}(?:([\w-]{1,64})\s{0,100}(?:\[ARGS\]\s{0,100})?)?(?=[{[])/;
const MAY_BE_NAMED = /^\s{0,100}(?:[\w-]{1,64}\s{0,100}(?:\[[ARGS]{0,4}\]?\s{0,100})?)?$/;
/** Space that is held back before a call that may stand bare. */
const MAX_SPACE = 100;

export interface ReadPiece {
  text: string;
  calls: ToolCall[];
}

/**
 * Tells calls of tools from text, as an answer comes. Text that may be the beginning of a call is held back; what turns out to be none is
 * text, letter for letter, however it is cut into pieces. What may be called and how its arguments look is checked as far as the names go.
 */
export class ToolCallReader {
  readonly #style: ToolStyle;
  /** Calls may stand bare, but only where an answer begins or behind another one. */
  readonly #bare: boolean;
  readonly #tools: ReadonlySet<string>;
  #held = '';
  /** The call that the held text begins with, as far as it is one. */
  #open: { opener: Opener; named?: string | undefined; from: number; scan: JsonScan } | undefined;
  #opener: Opener | undefined;
  /** Nothing but space has come since the beginning, or since a call. */
  #fresh = true;
  /** A call has just ended that this may follow, with space around it. */
  #after: string | undefined;
  #calls = 0;
  #failed = 0;

  /** @param tools names of what was offered @param style the model's own. Default: it has none */
  constructor(tools: Iterable<string>, style: ToolStyle = 'tags') {
    this.#tools = new Set(tools);
    this.#style = style;
    this.#bare = style === 'json';
  }

  push(text: string): ReadPiece {
    this.#held += text;
    return this.#read(false);
  }

  /** What is left, once no more comes. */
  end(): ReadPiece {
    return this.#read(true);
  }

  #read(last: boolean): ReadPiece {
    const read: ReadPiece = { text: '', calls: [] };
    while (this.#held !== '') if (!this.#step(read, last)) break;
    return read;
  }

  /** @returns whether there may be more to read in what is held */
  #step(read: ReadPiece, last: boolean): boolean {
    if (this.#after !== undefined) return this.#passSpace(last);
    if (this.#opener === undefined) return this.#findOpener(read, last);
    return this.#readCall(read, last);
  }

  /** Behind a call: its end mark, and space. */
  #passSpace(last: boolean): boolean {
    const rest = this.#held.trimStart();
    const mark = this.#after ?? '';
    if (mark !== '' && rest.startsWith(mark)) {
      this.#held = rest.slice(mark.length);
      this.#after = '';
      return true;
    }
    this.#held = rest;
    if (!last && mark !== '' && mark.startsWith(rest)) return false;
    if (rest !== '') this.#after = undefined;
    return rest !== '';
  }

  #findOpener(read: ReadPiece, last: boolean): boolean {
    if (this.#calls >= MAX_TOOL_CALLS || this.#failed >= MAX_FAILED) return this.#say(read, this.#held.length);
    const begin = this.#held.length - this.#held.trimStart().length;
    if (this.#bare && this.#fresh && /[{[]/.test(this.#held.charAt(begin))) return this.#begin(read, '', begin);
    const found = NEXT_OPENER[this.#style].exec(this.#held);
    if (found) return this.#begin(read, found[0] as Opener, found.index);
    const kept = last ? 0 : Math.max(...OPENERS[this.#style].map((opener) => beginningAtEnd(this.#held, opener)));
    // Where a bare call may begin, the space before it is not said yet.
    if (!last && this.#bare && this.#fresh && begin === this.#held.length && begin <= MAX_SPACE) return false;
    this.#say(read, this.#held.length - kept);
    return false;
  }

  /** A call may begin here: what stands before it is text. */
  #begin(read: ReadPiece, opener: Opener, at: number): boolean {
    this.#say(read, at);
    this.#opener = opener;
    this.#open = undefined;
    return true;
  }

  #readCall(read: ReadPiece, last: boolean): boolean {
    const opener = this.#opener ?? '';
    this.#open ??= this.#beginJson(opener, last);
    if (this.#open === undefined) return this.#refuse(read, opener, last);
    const end = this.#open.scan.end(this.#held, MAX_HELD);
    if (end === undefined) return this.#refuse(read, opener, last);
    const calls = end < 0 ? undefined : callsIn(this.#held.slice(this.#open.from, end), this.#tools, this.#open.named);
    if (!calls || this.#calls + calls.length > MAX_TOOL_CALLS) return this.#refuse(read, opener, true);
    read.calls.push(...calls);
    this.#calls += calls.length;
    this.#held = this.#held.slice(end);
    this.#opener = undefined;
    this.#after = AFTER[opener];
    this.#fresh = true;
    return true;
  }

  /** Where the call's JSON begins: behind the opener, space, and a name where there is one. */
  #beginJson(opener: Opener, last: boolean) {
    const pattern = opener === TOOL_CALLS ? NAMED : /^\s{0,100}(?=[{[])/;
    const head = this.#held.slice(opener.length);
    const found = pattern.exec(head);
    // «[ARGS]» begins as a list does.
    if (!found || (!last && found[1] && '[ARGS]'.startsWith(head.slice(found[0].length)))) return undefined;
    const from = opener.length + found[0].length;
    return { opener, named: found[1], from, scan: new JsonScan(from) };
  }

  /** No call so far: waits for more, or says that its beginning is text. @returns whether it was given up */
  #refuse(read: ReadPiece, opener: Opener, forGood: boolean): boolean {
    const hopeless = this.#open === undefined && !mayBegin(this.#held.slice(opener.length), opener);
    if (!forGood && !hopeless && this.#held.length <= MAX_HELD) return false;
    if (this.#open) this.#failed++;
    this.#opener = undefined;
    this.#open = undefined;
    // Of a bare one the bracket: it does not begin here any more.
    return this.#say(read, Math.max(1, opener.length));
  }

  #say(read: ReadPiece, length: number): boolean {
    const said = this.#held.slice(0, length);
    if (said.trim() !== '') this.#fresh = false;
    read.text += said;
    this.#held = this.#held.slice(length);
    return true;
  }
}

/** Whether what stands behind an opener can still become a call's JSON. */
function mayBegin(head: string, opener: Opener): boolean {
  return (opener === TOOL_CALLS ? MAY_BE_NAMED : /^\s{0,100}$/).test(head);
}

/** How much of an opener a text ends with. */
function beginningAtEnd(text: string, opener: string): number {
  for (let length = Math.min(opener.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(opener.slice(0, length))) return length;
  }
  return 0;
}

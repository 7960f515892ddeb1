import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

export interface ChatInputOptions {
  input: NodeJS.ReadableStream;
  /** Where prompts and what is typed are shown. */
  output: NodeJS.WritableStream & { columns?: number };
  /** A person types: with prompts, line editing and history. Otherwise lines are read as they come. */
  terminal: boolean;
}

/** Around what has several lines. */
const FENCE = '"""';
const PROMPT = '> ';
const MORE_PROMPT = '… ';
const HISTORY_LINES = 500;
/** Has a terminal say where a paste begins and ends, and no longer. */
const PASTES_TOLD = '\u001b[?2004h';
const PASTES_UNTOLD = '\u001b[?2004l';

/**
 * What a person types, or a program pipes in: a line each time, or several that are pasted, or stand between `"""`. Lines that come while an answer is written
 * wait, and are not shown in the middle of it. Close it.
 */
export class ChatInput {
  readonly #lines: Interface;
  readonly #terminal: boolean;
  readonly #write: (text: string) => void;
  /** Complete, and not taken yet. */
  readonly #typed: string[] = [];
  /** The lines of one that is not complete, between fences or pasted. */
  #block: string[] | undefined;
  readonly #pasted: string[] = [];
  #pasting = false;
  #wake: (() => void) | undefined;
  #ended = false;
  /** What Ctrl+C ends; undefined while the person types. */
  #work: (() => void) | undefined;

  constructor({ input, output, terminal }: ChatInputOptions) {
    this.#terminal = terminal;
    this.#write = (text) => void output.write(text);
    const screen = new Writable({
      write: (text, _encoding, done) => {
        if (terminal && !this.#work) output.write(text);
        done();
      },
    });
    Object.defineProperty(screen, 'columns', { get: () => output.columns ?? 80 });
    this.#lines = createInterface({ input, output: screen, terminal, historySize: HISTORY_LINES });
    this.#lines.on('line', (line) => this.#take(line));
    this.#lines.on('close', () => this.#end());
    this.#lines.on('SIGINT', () => this.#interrupt());
    if (terminal) this.#heedPastes(input);
  }

  /** What was typed next; undefined once there is no more, as after Ctrl+D. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const typed = this.#typed.shift();
      if (typed !== undefined || this.#ended) return typed;
      this.#prompt();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Runs work that Ctrl+C ends, by its signal; Ctrl+D does, too. */
  async during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#work = () => stop.abort();
    try {
      return await work(stop.signal);
    } finally {
      this.#work = undefined;
    }
  }

  close(): void {
    this.#ended = true;
    this.#lines.close();
  }

  /** Until this closes, or the process exits. */
  #heedPastes(input: NodeJS.ReadableStream): void {
    const onKey = (_text: unknown, key?: { name?: string }) => {
      if (key?.name === 'paste-start') this.#pasting = true;
      if (key?.name === 'paste-end') this.#pasting = false;
    };
    const restore = () => this.#write(PASTES_UNTOLD);
    input.on('keypress', onKey);
    this.#write(PASTES_TOLD);
    process.once('exit', restore);
    this.#lines.on('close', () => {
      input.off('keypress', onKey);
      process.off('exit', restore);
      restore();
    });
  }

  #take(line: string): void {
    const begins = this.#block === undefined && line.trimStart().startsWith(FENCE);
    if (this.#block === undefined && !begins) {
      this.#pasted.push(line);
      if (this.#pasting) return;
      this.#complete(this.#pasted.splice(0).join('\n'));
      return;
    }
    const rest = begins ? line.trimStart().slice(FENCE.length) : line;
    const lines = this.#block ?? [];
    const end = rest.trimEnd();
    if (!end.endsWith(FENCE)) {
      this.#block = [...lines, rest];
      this.#prompt();
      return;
    }
    this.#block = undefined;
    this.#complete([...lines, end.slice(0, -FENCE.length)].join('\n').trim());
  }

  #complete(text: string): void {
    this.#typed.push(text);
    this.#wake?.();
  }

  /** What a file ends in the middle of is complete, too. */
  #end(): void {
    if (this.#terminal && !this.#ended) this.#write('\n'); // after Ctrl+D, the shell begins on a line of its own
    this.#ended = true;
    const left = this.#block?.join('\n').trim();
    this.#block = undefined;
    if (left && !this.#terminal) this.#typed.push(left);
    this.#work?.();
    this.#wake?.();
  }

  #interrupt(): void {
    if (this.#work) {
      this.#work();
      return;
    }
    const typing = this.#lines.line !== '' || this.#block !== undefined || this.#pasted.length > 0;
    this.#block = undefined;
    this.#pasted.length = 0;
    this.#lines.write(null, { ctrl: true, name: 'e' });
    this.#lines.write(null, { ctrl: true, name: 'u' });
    this.#write(typing ? '\n' : '\nCtrl+D or /exit leaves.\n');
    this.#prompt();
  }

  #prompt(): void {
    if (!this.#terminal || this.#work || this.#ended) return;
    this.#lines.setPrompt(this.#block === undefined ? PROMPT : MORE_PROMPT);
    this.#lines.prompt(true);
  }
}

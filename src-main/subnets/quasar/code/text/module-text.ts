const INDENT = '    ';

/** A module in Python as it is written, line by line. */
export class ModuleText {
  readonly #lines: string[] = [];
  #chars = 0;

  /** UTF-16 units so far. */
  get chars(): number {
    return this.#chars;
  }

  /** @param level how far it is indented @returns the number of the line, from 1 */
  add(level: number, line: string): number {
    const text = line === '' ? '' : INDENT.repeat(level) + line;
    this.#lines.push(text);
    this.#chars += text.length + 1;
    return this.#lines.length;
  }

  addAll(level: number, lines: readonly string[]): void {
    for (const line of lines) this.add(level, line);
  }

  /** An empty line, or two. */
  gap(lines = 1): void {
    for (let line = 0; line < lines; line++) this.add(0, '');
  }

  get text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}

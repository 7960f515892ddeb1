import { Presets, SingleBar } from 'cli-progress';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { durationText, type Output } from './output.ts';

/** How far a piece of work over bytes is. */
export interface Step {
  done: number;
  /** Null while nobody knows. */
  total: number | null;
  bytesPerSecond?: number;
  secondsLeft?: number | null;
  /** A word or two on what is happening. */
  note?: string;
}

/** Milliseconds between two lines where there is no terminal to draw a bar on. */
const LINE_EVERY_MS = 10_000;
const CLEAR_LINE = '\r\u001b[2K';

/** Shows work over bytes on standard error: as a bar on a terminal, else as a line now and then; with `--json` not at all. */
export class Progress {
  readonly #name: string;
  readonly #silent: boolean;
  #bar: SingleBar | undefined;
  #lastLine = 0;

  constructor(name: string, { json }: Pick<Output, 'json'>) {
    this.#name = foreignLine(name);
    this.#silent = json;
  }

  show(step: Step): void {
    if (this.#silent) return;
    if (process.stderr.isTTY) this.#draw(step);
    else this.#line(step);
  }

  /** Leaves the terminal's line as it is. Idempotent. */
  end(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #draw(step: Step): void {
    const payload = { facts: facts(step) };
    const total = step.total ?? Math.max(1, step.done);
    if (this.#bar) {
      this.#bar.setTotal(total);
      this.#bar.update(step.done, payload);
      return;
    }
    const format = `${this.#name} {bar} {percentage} %  {facts}`;
    const options = { format, stream: process.stderr, hideCursor: true, linewrap: false, gracefulExit: false };
    this.#bar = new SingleBar({ ...options, barsize: 28 }, Presets.shades_classic);
    this.#bar.start(total, step.done, payload);
  }

  #line(step: Step): void {
    if (Date.now() - this.#lastLine < LINE_EVERY_MS) return;
    this.#lastLine = Date.now();
    process.stderr.write(`${this.#name}: ${facts(step)}\n`);
  }
}

/** What is going on, on standard error: in one line that changes on a terminal, else a line whenever it is another; with `--json` not at all. */
export class Remark {
  readonly #output: Pick<Output, 'json' | 'note'>;
  #last = '';

  constructor(output: Pick<Output, 'json' | 'note'>) {
    this.#output = output;
  }

  show(text: string): void {
    if (this.#output.json || text === this.#last) return;
    this.#last = text;
    if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}${foreignLine(text)}`);
    else this.#output.note(text);
  }

  /** How far a piece of work is, from 0 to 1: on a terminal at each percent, else only that it has begun. */
  showShare(work: string, done: number): void {
    this.show(process.stderr.isTTY ? `${work}: ${Math.round(100 * done)} %` : `${work} …`);
  }

  /** Takes the line away again. Idempotent. */
  end(): void {
    if (this.#last && process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
    this.#last = '';
  }
}

function facts({ done, total, bytesPerSecond, secondsLeft, note }: Step): string {
  const parts = [
    total === null ? sizeText(done) : `${sizeText(done)} of ${sizeText(total)}`,
    bytesPerSecond ? `${sizeText(bytesPerSecond)}/s` : undefined,
    secondsLeft ? `${durationText(secondsLeft * 1_000)} left` : undefined,
    note && foreignLine(note),
  ];
  return parts.filter(Boolean).join(' · ');
}

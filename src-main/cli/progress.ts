import { Presets, SingleBar } from 'cli-progress';
import { sizeText } from '../../src-preload/contract/sizes.ts';
import { foreignLine } from '../base/foreign-text.ts';
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

function facts({ done, total, bytesPerSecond, secondsLeft, note }: Step): string {
  const parts = [
    total === null ? sizeText(done) : `${sizeText(done)} of ${sizeText(total)}`,
    bytesPerSecond ? `${sizeText(bytesPerSecond)}/s` : undefined,
    secondsLeft ? `${durationText(secondsLeft * 1_000)} left` : undefined,
    note && foreignLine(note),
  ];
  return parts.filter(Boolean).join(' · ');
}

import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { terminalJson, withoutControls, withStylesOnly } from '../../base/foreign-text.ts';
import { invocationNote } from './invocation.ts';

/** Where a command writes: answers to standard output, everything else to standard error. */
export interface Output {
  /** With `--json`: one JSON document on standard output and nothing else there. */
  json: boolean;
  /** A line of the answer. Like a note it may have our own styles in it; nothing else in it steers the terminal. */
  line(text?: string): void;
  /** A part of a line, for streamed text: a stranger's, so it has no styles either. */
  write(text: string): void;
  /** Progress and remarks, on standard error. */
  note(text: string): void;
  /** The command's one JSON document. */
  document(value: unknown): void;
}

/** An output on this process's streams. */
export function standardOutput(json: boolean): Output {
  let told = json; // a program needs no help with typing
  const note = (text: string) => void process.stderr.write(`${withStylesOnly(text)}\n`);
  const help = (text: string) => {
    const how = told ? undefined : invocationNote(text);
    if (how === undefined) return;
    told = true;
    note(styleText('dim', how));
  };
  return {
    json,
    line(text = '') {
      if (json) return;
      process.stdout.write(`${withStylesOnly(text)}\n`);
      help(text);
    },
    write: (text) => void (json || process.stdout.write(withoutControls(text))),
    note(text) {
      note(text);
      help(text);
    },
    document: (value) => void (json && process.stdout.write(`${terminalJson(value, 2)}\n`)),
  };
}

/** Rows under a bold head, aligned, without a frame. */
export function table(head: string[], rows: (string | number)[][], widths?: readonly number[]): string {
  const plain = {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
  };
  const view = new Table({
    head: head.map((title) => styleText('bold', title)),
    ...(widths && { colWidths: [...widths], wordWrap: true }),
    chars: {
      ...plain,
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  view.push(...rows.map((row) => row.map(cell)));
  return view.toString();
}

/** In one line: whoever named a model or a file must not make a row of the table look like ours. */
function cell(content: string | number): string | number {
  return typeof content === 'number' ? content : withStylesOnly(content.replace(/\s+/g, ' '));
}

/** The error as a person reads it: what happened, then what to do. */
export function errorText(error: QuarryError): string {
  const lines = [`${styleText(['bold', 'red'], 'error')} ${indented(withoutControls(error.message))}`];
  if (error.hint) lines.push(`${styleText('bold', 'what to do')} ${indented(withoutControls(error.hint))}`);
  return lines.join('\n');
}

/** Further lines stand in from the edge, where only our own words begin: a peer may have chosen them. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

const PLURALS = new Intl.PluralRules('en');

/** «1 entry», «2,000 entries». @param more what it is called where there is not one. Default: with an s */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en')} ${PLURALS.select(count) === 'one' ? one : more}`;
}

/** Cut where it is longer than a table has room for, with «…» at its end. @param most UTF-16 units, that among them */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}

/** «81.2 %» @param share 0 to 1 */
export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Unix milliseconds as «8 Oct 2025», in local time. */
export function dayText(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', { dateStyle: 'medium' });
}

/** Unix milliseconds as «8 Oct 2025, 14:05», in local time. */
export function timeText(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** The same to the second: «8 Oct 2025, 14:05:31». */
export function momentText(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}

const DAY_MS = 86_400_000;

/** Milliseconds as people say them: «340 ms», «1.2 s», «3 min», «1.5 h», from two days on «3 days». */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 2 * DAY_MS) return `${(ms / 3_600_000).toFixed(1)} h`;
  return counted(Math.floor(ms / DAY_MS), 'day');
}

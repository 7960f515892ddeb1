import { InvalidArgumentError } from 'commander';
import { type Box, boxSchema, type Span } from '../../../src-preload/contract/focus.ts';
import { MAX_APPEAL_CHARS, MAX_BOXES, MAX_SPANS } from '../../../src-preload/contract/focus-limits.ts';

/** A time, with how it was written: so it is told back where it is wrong. */
export interface Moment {
  ms: number;
  text: string;
}

/** A piece that is left out, in the same way. */
export interface Cut extends Span {
  text: string;
}

/** Between so many cuts, and around them, there are as many pieces as may be kept. */
const MAX_CUTS = MAX_SPANS - 1;

/** «90», «1:30», «1:02:03.5». @throws InvalidArgumentError */
export const moment = (text: string): Moment => ({ ms: milliseconds(text), text });

/** «1:05-1:30», added to those before it. @throws InvalidArgumentError */
export function addCut(text: string, before: readonly Cut[] = []): Cut[] {
  const [, from, to] = /^([\d:.]+)-([\d:.]+)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new InvalidArgumentError('It is from when to when, as 1:05-1:30.');
  const cut = { fromMs: milliseconds(from), toMs: milliseconds(to), text };
  if (cut.fromMs >= cut.toMs) throw new InvalidArgumentError('It ends after it begins.');
  if (before.length === MAX_CUTS) throw new InvalidArgumentError(`There are at most ${MAX_CUTS}.`);
  return [...before, cut];
}

/** «1:05-1:30:0.2,0.1,0.5,0.25», added to those before it. @throws InvalidArgumentError */
export function addBox(text: string, before: readonly Box[] = []): Box[] {
  const [, from, to, area = ''] = /^([\d:.]+)-([\d:.]+):([\d.]+(?:,[\d.]+){3})$/.exec(text) ?? [];
  const [x, y, width, height] = area.split(',').map(Number);
  if (from === undefined || to === undefined)
    throw new InvalidArgumentError('It is a time and an area as 1:05-1:30:0.2,0.1,0.5,0.25.');
  const box = boxSchema.safeParse({ fromMs: milliseconds(from), toMs: milliseconds(to), x, y, width, height });
  if (!box.success) throw new InvalidArgumentError('Its time has to go on, and its area lies within 0 and 1.');
  if (before.length === MAX_BOXES) throw new InvalidArgumentError(`There are at most ${MAX_BOXES}.`);
  return [...before, box.data];
}

/** What is wrong with a score. @throws InvalidArgumentError */
export function appealNote(text: string): string {
  const note = text.trim();
  if (note === '') throw new InvalidArgumentError('The note must not be empty.');
  if (note.length > MAX_APPEAL_CHARS)
    throw new InvalidArgumentError(`The note has at most ${MAX_APPEAL_CHARS} characters.`);
  return note;
}

function milliseconds(text: string): number {
  if (!/^\d{1,5}(:\d{1,2}){0,2}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('It is a time as 90, or 1:30.');
  if (/:[6-9]\d/.test(text)) throw new InvalidArgumentError('It is a time: after a colon, 59 is the most.');
  return Math.round(1_000 * text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0));
}

import { InvalidArgumentError } from 'commander';
import { type Box, boxSchema } from '../../../src-preload/contract/focus.ts';

/** «90», «1:30», «1:02:03.5». @throws InvalidArgumentError */
export function milliseconds(text: string): number {
  if (!/^\d{1,5}(:\d{1,2}){0,2}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('It is a time as 90, or 1:30.');
  return Math.round(1_000 * text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0));
}

/** «1:05-1:30:0.2,0.1,0.5,0.25», added to those before it. @throws InvalidArgumentError */
export function addBox(text: string, before: Box[]): Box[] {
  const [, from, to, area = ''] = /^([\d:.]+)-([\d:.]+):([\d.]+(?:,[\d.]+){3})$/.exec(text) ?? [];
  const [x, y, width, height] = area.split(',').map(Number);
  if (from === undefined || to === undefined)
    throw new InvalidArgumentError('It is a time and an area as 1:05-1:30:0.2,0.1,0.5,0.25.');
  const box = boxSchema.safeParse({ fromMs: milliseconds(from), toMs: milliseconds(to), x, y, width, height });
  if (!box.success) throw new InvalidArgumentError('Its time has to go on, and its area lies within 0 and 1.');
  return [...before, box.data];
}

import { InvalidArgumentError, Option } from 'commander';
import { MAX_TOPIC_CHARS, MOST_CLIPS } from '../../../src-preload/contract/data-limits.ts';
import { SOURCE_KINDS } from '../../../src-preload/contract/data-names.ts';
import { hexPattern } from '../../../src-preload/contract/limits.ts';

/** The id of a clip, as typed. @throws InvalidArgumentError for what is none */
export function clipId(text: string): string {
  if (hexPattern(16).test(text)) return text;
  throw new InvalidArgumentError('32 hexadecimal digits are wanted: «quarry data clips» has the ids.');
}

/** Those of one submission. @throws InvalidArgumentError for what is none, for one too many, and for one that is named twice */
export function clipIds(text: string, before: string[] = []): string[] {
  const clips = [...before, clipId(text)];
  if (clips.length > MOST_CLIPS) throw new InvalidArgumentError(`A submission has ${MOST_CLIPS} clips at the most.`);
  if (before.includes(text)) throw new InvalidArgumentError('It is named twice: in a submission each counts once.');
  return clips;
}

/** @throws InvalidArgumentError for one that is empty or too long */
export function topic(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '' && trimmed.length <= MAX_TOPIC_CHARS) return trimmed;
  throw new InvalidArgumentError(`A topic of 1 to ${MAX_TOPIC_CHARS} characters is wanted.`);
}

/** Of one source. */
export const sourceOption = (help: string) => new Option('--source <source>', help).choices(SOURCE_KINDS);

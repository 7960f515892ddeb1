import { InvalidArgumentError } from 'commander';

/** The id of an evaluation, as typed. @throws InvalidArgumentError for what is none */
export function evaluationId(text: string): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text;
  throw new InvalidArgumentError('16 hexadecimal digits are wanted: «quarry evaluate list» has the ids.');
}

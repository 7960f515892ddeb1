import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { valueFault } from './value-fault.ts';

/** What a schema has against some input; of nested fields the way to it. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Input that a schema refuses, told with the field at fault. @param cause what the schema threw; its words, where it names no issue */
export function badInput(issue: Issue | undefined, cause: Error): QuarryError {
  const field = issue?.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || undefined;
  const message = say('node.badInput', { field: field ?? say('node.input'), why: valueFault(issue ?? cause) });
  return new QuarryError({ code: 'BAD_REQUEST', message, field }, { cause });
}

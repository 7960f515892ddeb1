import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';

/** The built-in model. */
export const TINY_MODEL_NAME = 'tiny';
/** Names that mean something else to whoever asks for a model: the built-in one, this node's own, anybody's. */
const RESERVED_NAMES = [TINY_MODEL_NAME, 'local', 'mesh'];
const PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether a model can be called so; names are file names too. */
export function isModelName(name: string): boolean {
  return PATTERN.test(name) && !isReservedName(name);
}

export function isReservedName(name: string): boolean {
  return RESERVED_NAMES.includes(name.toLowerCase());
}

/** @throws BAD_REQUEST */
export function checkModelName(name: string): void {
  if (isModelName(name)) return;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('library.badName', { name }),
    hint: say('library.useName', { reserved: RESERVED_NAMES }),
    field: 'name',
  });
}

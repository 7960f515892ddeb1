import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, wordsOf } from '../../../src-preload/contract/saying.ts';
import { quoted } from '../../gguf/gguf-error.ts';
import { ADAPTER_MODULES } from '../formats/lora-adapter.ts';

export const unknownVersion = (ref: string) =>
  new QuarryError({
    code: 'ADAPTER_NOT_FOUND',
    message: say('adapters.unknown', { ref: quoted(ref) }),
    hint: say('adapters.unknown.hint'),
    field: 'adapter',
  });

export const noneInUse = (name: string) =>
  new QuarryError({
    code: 'ADAPTER_NOT_FOUND',
    message: say('adapters.noneInUse', { name }),
    hint: say('adapters.noneInUse.hint', { name }),
    field: 'adapter',
  });

export const badName = (name: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('adapters.badName', { name: quoted(name) }),
    hint: say('adapters.badName.hint'),
    field: 'name',
  });

export const nameTaken = (name: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('adapters.nameTaken', { name }), field: 'name' });

/** @param model that the adapter belongs to */
export const otherBase = (name: string, model: string) =>
  new QuarryError({
    code: 'ADAPTER_INVALID',
    message: say('adapters.otherBase', { name, model }),
    hint: say('adapters.otherBase.hint'),
    field: 'adapter',
  });

export const damagedVersion = (id: string) =>
  new QuarryError({
    code: 'ADAPTER_INVALID',
    message: say('adapters.damaged', { id }),
    hint: say('adapters.damaged.hint'),
  });

export const nothingBefore = (name: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('adapters.nothingBefore', { name }),
    hint: say('adapters.nothingBefore.hint'),
  });

export const nothingAfter = (name: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('adapters.nothingAfter', { name }),
    hint: say('adapters.nothingAfter.hint'),
  });

export const stillInUse = (id: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('adapters.inUse', { id }),
    hint: say('adapters.inUse.hint'),
    field: 'version',
  });

/** What went wrong where files were written: a full disk by its name. */
export function writingFailed(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) return error;
  return new QuarryError(
    { code: 'DISK_FULL', message: say('adapters.noRoom'), hint: say('adapters.noRoom.hint') },
    { cause: error },
  );
}

export function unknownModule(name: string): QuarryError {
  const message = say('adapters.unknownModule', { name: quoted(name), names: [...ADAPTER_MODULES] });
  return new QuarryError({ code: 'BAD_REQUEST', message, field: 'modules' });
}

/** Says for which model a file from elsewhere was read that does not fit it: often nobody named one. @param model what people call it */
export function comparedWith(model: string, error: unknown): unknown {
  const problem = QuarryError.from(error);
  if (problem.code !== 'ADAPTER_INVALID') return error;
  const hint = say('adapters.comparedWith', { model });
  return new QuarryError({ code: problem.code, message: wordsOf(problem, 'message'), hint }, { cause: error });
}

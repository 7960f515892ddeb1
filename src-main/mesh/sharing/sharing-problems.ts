import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { MAX_OFFERS } from './messages.ts';

/** @param over bytes above the cap */
export function overDiskLimit(name: string, over: number): QuarryError {
  return new QuarryError({
    code: 'DISK_FULL',
    message: say('sharing.overLimit', { name, over }),
    hint: say('sharing.raiseLimit'),
  });
}

export function tooManyShared(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('sharing.tooMany', { most: MAX_OFFERS }),
    hint: say('sharing.stopAnother'),
  });
}

export function sharedAlready(name: string, as: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('sharing.already', { name, as }),
    hint: say('sharing.otherName', { as }),
    field: 'name',
  });
}

/** @param shared what is shared */
export function notShared(name: string, shared: readonly { name: string }[]): QuarryError {
  const names = shared.map((model) => `«${model.name}»`).join(', ');
  return new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: say('sharing.notShared', { name }),
    hint: names ? say('sharing.shares', { names }) : say('sharing.sharesNone'),
    field: 'name',
  });
}

import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_OFFERS } from './messages.ts';

/** @param over bytes above the cap */
export function overDiskLimit(name: string, over: number): QuarryError {
  return new QuarryError({
    code: 'DISK_FULL',
    message: `Sharing «${name}» would hold ${over} bytes more on disk than shared models may.`,
    hint: 'Raise `sharing.diskLimit`, or stop sharing another model.',
  });
}

export function tooManyShared(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `This node shares ${MAX_OFFERS} models, and no more can be offered.`,
    hint: 'Stop sharing another model first.',
  });
}

export function sharedAlready(name: string, as: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `The file of «${name}» is shared already, as «${as}».`,
    hint: `To share it under the other name, stop sharing «${as}» first.`,
    field: 'name',
  });
}

/** @param shared what is shared */
export function notShared(name: string, shared: readonly { name: string }[]): QuarryError {
  const names = shared.map((model) => `«${model.name}»`).join(', ');
  return new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: `This node does not share «${name}».`,
    hint: names ? `It shares ${names}.` : 'It shares no model.',
    field: 'name',
  });
}

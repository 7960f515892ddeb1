import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';

/** Nothing here makes numbers of pictures and texts. */
export const noModels = () =>
  new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('clips.noModels'), hint: say('clips.noModels.hint') });

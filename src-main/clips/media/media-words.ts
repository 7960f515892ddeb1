import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import type { MediaFault } from './media.ts';

/** Why nothing can be made of a file, for people. */
export function faultInWords(fault: MediaFault): Saying {
  return SAID[fault];
}

const SAID: Record<MediaFault, Saying> = {
  noVideo: say('clips.media.noVideo'),
  damaged: say('clips.media.damaged'),
  tooLong: say('clips.media.tooLong'),
  tooLarge: say('clips.media.tooLarge'),
  tooSlow: say('clips.media.tooSlow'),
  codec: say('clips.media.codec'),
};

/** Nobody here reads videos. */
export const noMedia = () =>
  new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('clips.noMedia'), hint: say('clips.noMedia.hint') });

/** What keeps this computer from reading a file, whatever is in that. @param why an error, or the program's last words */
export function programFailed(why: unknown): QuarryError {
  const detail = foreignLine(why instanceof Error ? why.message : String(why)).slice(-300);
  return new QuarryError({
    code: detail.includes('No space left on device') ? 'DISK_FULL' : 'UNSUPPORTED',
    message: detail === '' ? say('clips.media.ended') : say('clips.media.failed', { detail }),
    hint: say('clips.media.failedHint'),
    retryable: true,
  });
}

import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Span } from '../../src-preload/contract/focus.ts';
import { MAX_CHUNK_BYTES } from '../../src-preload/contract/focus-limits.ts';
import { lengthText } from '../../src-preload/contract/length-text.ts';
import { say } from '../../src-preload/contract/saying.ts';

export const unknownRecording = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.unknown') });

export const otherIsRecorded = (title: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.busy', { title }), hint: say('focus.busy.hint') });

export const notLive = () => new QuarryError({ code: 'UNAUTHORIZED', message: say('focus.notLive') });

export const atItsEnd = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.notInterrupted') });

export const wrongSize = () =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.chunk.size', { most: MAX_CHUNK_BYTES }) });

export const nothingRecorded = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.empty') });

export interface Room {
  folder: string;
  free: number;
  used: number;
  budget: number;
}

export const noRoom = (room: Room) =>
  new QuarryError({ code: 'DISK_FULL', message: say('focus.full', { ...room }), hint: say('focus.full.hint') });

export const noPictures = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.video.empty') });

export const partsDiffer = (one: string, other: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.video.differ', { one, other }) });

export const noKeyFrame = ({ fromMs, toMs }: Span) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('focus.video.noKeyFrame', {
      from: lengthText(fromMs, { tenths: true }),
      to: lengthText(toMs, { tenths: true }),
    }),
    hint: say('focus.video.noKeyFrame.hint'),
    field: 'spans',
  });

export const notPrepared = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.video.notPrepared') });

export const videoExists = (path: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('focus.video.exists', { path }),
    hint: say('focus.video.exists.hint'),
  });

export const diskFull = (cause?: unknown) =>
  new QuarryError({ code: 'DISK_FULL', message: say('focus.video.full') }, { cause });

export const captureElsewhere = () => new QuarryError({ code: 'NOT_RUNNING', message: say('focus.capture.elsewhere') });

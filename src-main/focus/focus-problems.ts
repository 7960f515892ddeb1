import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Span } from '../../src-preload/contract/focus.ts';
import { MAX_CHUNK_BYTES, MAX_STILLS_BYTES } from '../../src-preload/contract/focus-limits.ts';
import { lengthText } from '../../src-preload/contract/length-text.ts';
import { say } from '../../src-preload/contract/saying.ts';

export const unknownRecording = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.unknown') });

export const otherIsRecorded = (title: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.busy', { title }), hint: say('focus.busy.hint') });

export const notLive = () => new QuarryError({ code: 'UNAUTHORIZED', message: say('focus.notLive') });

export const atItsEnd = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.notInterrupted') });

export const otherKey = () =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.otherKey'), hint: say('focus.otherKey.hint') });

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

export const noPictureIn = ({ fromMs, toMs }: Span) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('focus.video.noPictureIn', { from: exactly(fromMs), to: exactly(toMs) }),
    hint: say('focus.video.noPictureIn.hint'),
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

export const otherCodec = (codec: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.video.otherCodec', { codec }) });

export const notWhole = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.video.notWhole') });

export const otherTracks = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.video.otherTracks') });

export const stillsTooLarge = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('focus.stills.tooLarge', { most: MAX_STILLS_BYTES }),
    hint: say('focus.stills.tooLarge.hint'),
  });

export const undecodable = (atMs: number, cause: unknown) =>
  new QuarryError(
    {
      code: 'BAD_REQUEST',
      message: say('focus.video.undecodable', { at: exactly(atMs), reason: reasonOf(cause) }),
      hint: say('focus.video.undecodable.hint'),
    },
    { cause },
  );

export const unencodable = (atMs: number, cause: unknown) =>
  new QuarryError(
    {
      code: 'INTERNAL',
      message: say('focus.video.unencodable', { at: exactly(atMs), reason: reasonOf(cause) }),
    },
    { cause },
  );

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const exactly = (ms: number): string => lengthText(ms, { tenths: true });

export const captureElsewhere = () => new QuarryError({ code: 'NOT_RUNNING', message: say('focus.capture.elsewhere') });

export const stuck = () =>
  new QuarryError({ code: 'INTERNAL', message: say('focus.video.stuck'), hint: say('focus.video.undecodable.hint') });

export const tooLong = (mostMs: number) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.video.tooLong', { most: exactly(mostMs) }) });

export const fewPictures = (pictures: number, durationMs: number) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('focus.video.fewPictures', { pictures, length: exactly(durationMs) }),
  });

export const fewKeyFrames = (most: number) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.video.fewKeyFrames', { most }) });

export const tooSlow = (mostMs: number) =>
  new QuarryError({ code: 'INTERNAL', message: say('focus.video.tooSlow', { most: exactly(mostMs) }) });

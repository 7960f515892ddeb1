import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';

export const unknownRecording = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.unknown') });

export const otherIsRecorded = (title: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('focus.busy', { title }), hint: say('focus.busy.hint') });

export const notLive = () => new QuarryError({ code: 'UNAUTHORIZED', message: say('focus.notLive') });

export const atItsEnd = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.notInterrupted') });

export const nothingRecorded = () => new QuarryError({ code: 'BAD_REQUEST', message: say('focus.empty') });

export interface Room {
  folder: string;
  free: number;
  used: number;
  budget: number;
}

export const noRoom = (room: Room) =>
  new QuarryError({ code: 'DISK_FULL', message: say('focus.full', { ...room }), hint: say('focus.full.hint') });

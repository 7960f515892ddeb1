import { QuarryError, type QuarryErrorData } from '../../../src-preload/contract/errors.ts';
import type { Download, DownloadFault } from '../../../src-preload/contract/models.ts';
import { type Saying, type SayingKey, say, told, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { WantedModel } from '../wanted-model.ts';
import { type ByteSource, SourceError } from './byte-source.ts';

/** What stands in a download's way, and whose doing it is. */
export interface DownloadProblem extends QuarryErrorData {
  fault: DownloadFault;
}

/** The same, with whose doing it is. */
export function problemOf(error: QuarryError): DownloadProblem {
  const { code, message, hint, said, cause } = error;
  const fault = code === 'DISK_FULL' ? 'disk' : cause instanceof SourceError ? cause.fault : 'other';
  return { code, message, hint, said, fault };
}

/** What a download's error looks like to a person: named, with a way out. */
export function explainDownloadError(error: unknown, folder: string): QuarryError {
  if (error instanceof QuarryError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(say('download.diskFull', { folder }), error);
  const why = error instanceof Error ? error.message : String(error);
  return failed(say('download.notWritten', { why }), say('download.lookAt', { folder }), error);
}

/** The files of a download are there, and cannot be used now. */
export function explainUnread(name: string, error: unknown): QuarryError {
  if (error instanceof QuarryError) return error;
  const why = error instanceof Error ? error.message : String(error);
  const hint = say('download.resumeOrCancel', { name });
  return failed(say('download.unread', { name, why }), hint, error);
}

export function fromNewerVersion(): QuarryError {
  const hint = say('download.useNewer');
  return failed(say('download.newer'), hint);
}

/** @param needed bytes that are still to come */
export function noRoom(name: string, needed: number, free: number, folder: string): QuarryError {
  return diskFull(say('download.noRoom', { name, needed, folder, free }));
}

export function nearlyFull(folder: string): QuarryError {
  return diskFull(say('download.nearlyFull', { folder }));
}

/** @param last what the last source said; undefined when there is no source at all */
export function allGaveUp({ name }: WantedModel, last: SourceError | undefined): QuarryError {
  if (last) {
    const hint = say(WAYS_OUT[last.fault]);
    return failed(say('download.gaveUp', { name, last: wordsOf(last, 'message') }), hint, last);
  }
  const hint = say('download.giveAddress');
  return failed(say('download.nowhere', { name }), hint);
}

/** What to do once nobody is left to ask, by whose doing it is. */
const WAYS_OUT = {
  offline: 'download.kept',
  disk: 'download.kept',
  other: 'download.kept',
  forbidden: 'download.getAccess',
  missing: 'download.chooseAnother',
  server: 'download.laterOrOther',
} as const satisfies Record<DownloadFault, SayingKey>;

/** A source whose file was replaced too often to wait for its end. */
export function keepsChanging({ name }: ByteSource, last: SourceError): SourceError {
  return new SourceError('gone', say('download.keepsChanging', { name }), { cause: last });
}

export function replaced({ name }: ByteSource): SourceError {
  return new SourceError('changed', say('download.replaced', { name }));
}

/** What a source still says while it is tried again, or others are. */
export function retrying(error: SourceError): DownloadProblem {
  const { fault } = error;
  const hint = say(fault === 'offline' ? 'download.whenOnline' : 'download.retrying');
  return { code: 'DOWNLOAD_FAILED', fault, ...told({ message: wordsOf(error, 'message'), hint }) };
}

/** The bytes are not those that were wanted. */
export function wrongHash({ name, sha256 }: WantedModel, found: string, givers: readonly string[]): QuarryError {
  return new QuarryError({
    code: 'MODEL_INVALID',
    message: say('download.wrongHash', { name, givers: givers.join(', '), found, sha256: String(sha256) }),
    hint: say('download.compareHash', { name }),
  });
}

export function meddledWith({ name }: WantedModel): QuarryError {
  const message = say('download.meddled', { name });
  return failed(message, say('download.beginsAgain'));
}

export function movedAway({ name }: WantedModel): QuarryError {
  const message = say('download.movedAway', { name });
  return failed(message, say('download.putBack'));
}

export function beingMoved(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('download.beingMoved'),
    hint: say('download.whenDone'),
    retryable: true,
  });
}

export function notAtRest(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('download.notAtRest'),
    hint: say('download.pauseFirst'),
  });
}

/** @param all what can be meant */
export function noDownload(name: string, all: readonly Download[]): QuarryError {
  const hint = all.length > 0 ? say('download.thereAre', { names: all.map((download) => download.name) }) : undefined;
  return new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: say('download.none', { name }),
    hint,
    field: 'name',
  });
}

export function anotherModel(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('download.nameTaken', { name }),
    hint: say('download.otherName', { name }),
    field: 'name',
  });
}

export function cancelled(name: string): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: say('download.cancelled', { name }) });
}

export function notRunning(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: say('download.notOpen') });
}

/** A source that has another file, or none that can be used: others are asked. */
export function refused(source: ByteSource, why: Saying): SourceError {
  return new SourceError('gone', say('download.refused', { name: source.name, why }));
}

function diskFull(message: Words, cause?: unknown): QuarryError {
  const hint = say('download.makeRoom');
  return new QuarryError({ code: 'DISK_FULL', message, hint }, { cause });
}

function failed(message: Words, hint: Words, cause?: unknown): QuarryError {
  return new QuarryError({ code: 'DOWNLOAD_FAILED', message, hint, retryable: true }, { cause });
}

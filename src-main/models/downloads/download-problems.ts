import { QuarryError, type QuarryErrorData } from '../../../src-preload/contract/errors.ts';
import type { Download } from '../../../src-preload/contract/models.ts';
import type { WantedModel } from '../wanted-model.ts';
import { type ByteSource, SourceError } from './byte-source.ts';

/** What a download's error looks like to a person: named, with a way out. */
export function explainDownloadError(error: unknown, folder: string): QuarryError {
  if (error instanceof QuarryError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(`The drive that holds ${folder} is full.`, error);
  const why = error instanceof Error ? error.message : String(error);
  return failed(`The file could not be written: ${why}.`, `Look at ${folder}, then resume the download.`, error);
}

/** The files of a download are there, and cannot be used now. */
export function explainUnread(name: string, error: unknown): QuarryError {
  if (error instanceof QuarryError) return error;
  const why = error instanceof Error ? error.message : String(error);
  const hint = `Nothing was deleted. Resume it when the cause is gone, or give it up: quarry models cancel ${name}.`;
  return failed(`What is there of the download ${name} cannot be read: ${why}.`, hint, error);
}

export function fromNewerVersion(): QuarryError {
  const hint = 'Nothing was deleted. Use that version to go on with it, or cancel it and begin again.';
  return failed('A newer version of Quarry began this download.', hint);
}

/** @param needed bytes that are still to come */
export function noRoom(name: string, needed: number, free: number, folder: string): QuarryError {
  const left = `${folder} has ${sizeText(free)} free, besides what other downloads still need`;
  return diskFull(`${name} needs ${sizeText(needed)} more, and ${left}.`);
}

export function nearlyFull(folder: string): QuarryError {
  return diskFull(`The drive that holds ${folder} is nearly full.`);
}

/** @param last what the last source said; undefined when there is no source at all */
export function allGaveUp({ name }: WantedModel, last: SourceError | undefined): QuarryError {
  if (last) {
    const hint = 'What is here is kept: resume the download when the cause is gone.';
    return failed(`${name} cannot be downloaded. ${last.message}`, hint, last);
  }
  const hint = 'Give a web address, or allow downloads from other nodes (models.fromPeers).';
  return failed(`There is nowhere to get ${name} from.`, hint);
}

/** A source whose file was replaced too often to wait for its end. */
export function keepsChanging({ name }: ByteSource, last: SourceError): SourceError {
  return new SourceError('gone', `The file at ${name} keeps changing while it is downloaded.`, { cause: last });
}

export function replaced({ name }: ByteSource): SourceError {
  return new SourceError('changed', `${name} may have another file now than before.`);
}

/** What a source still says while it is tried again, or others are. */
export function retrying(error: SourceError): QuarryErrorData {
  return { code: 'DOWNLOAD_FAILED', message: error.message, hint: 'It is tried again, or somebody else is asked.' };
}

/** The bytes are not those that were wanted. */
export function wrongHash({ name, sha256 }: WantedModel, found: string, givers: readonly string[]): QuarryError {
  return new QuarryError({
    code: 'MODEL_INVALID',
    message: `${name} from ${givers.join(', ')} is not the file that was wanted: its SHA-256 is ${found}, not ${sha256}.`,
    hint:
      'It was deleted. Whoever published it may have replaced it: compare the SHA-256 on its page, or try again later. ' +
      `If the hash is a pin, and you know why the file changed, take ${name} out of pins.json in the models folder.`,
  });
}

export function meddledWith({ name }: WantedModel): QuarryError {
  const message = `Something else wrote to the file of ${name} while it was downloaded.`;
  return failed(message, 'Resume the download: it begins again.');
}

export function movedAway({ name }: WantedModel): QuarryError {
  const message = `The file of ${name} was moved or replaced by something else while it was downloaded.`;
  return failed(message, 'Put it back and resume the download, or resume to begin again.');
}

export function beingMoved(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: 'The models are being moved to another folder.',
    hint: 'Try again when that is done.',
    retryable: true,
  });
}

export function notAtRest(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: 'Models cannot be moved while one is being downloaded.',
    hint: 'Pause the downloads first: quarry models pause NAME.',
  });
}

/** @param all what can be meant */
export function noDownload(name: string, all: readonly Download[]): QuarryError {
  const hint = all.length > 0 ? `There are: ${all.map((download) => download.name).join(', ')}.` : undefined;
  return new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: `There is no download of «${name}».`,
    hint,
    field: 'name',
  });
}

export function anotherModel(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `A download of another file is already called «${name}».`,
    hint: `Choose another name, or end that one: quarry models cancel ${name}.`,
    field: 'name',
  });
}

export function cancelled(name: string): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: `The download of ${name} was cancelled.` });
}

export function notRunning(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: 'Downloads are not open.' });
}

/** A source that has another file, or none that can be used: others are asked. */
export function refused(source: ByteSource, why: string): SourceError {
  return new SourceError('gone', `The file at ${source.name} is not used: ${why}.`);
}

function diskFull(message: string, cause?: unknown): QuarryError {
  const hint = 'Make room, or move the models to another drive; then resume the download. What is here is kept.';
  return new QuarryError({ code: 'DISK_FULL', message, hint }, { cause });
}

function failed(message: string, hint: string, cause?: unknown): QuarryError {
  return new QuarryError({ code: 'DOWNLOAD_FAILED', message, hint, retryable: true }, { cause });
}

function sizeText(bytes: number): string {
  return bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(1)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

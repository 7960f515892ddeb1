import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';
import { checkModelName } from './model-name.ts';
import { pieceIn } from './pieces.ts';

/** That a file is no model, and is to become a version of an adapter. */
export interface WantedAdapter {
  /** Of the adapter here. */
  name: string;
  /** SHA-256 of the file of the model that it belongs to, 64 hex. */
  base: string;
  /** Id of the node that vouches for it, 64 hex. */
  from: string;
}

/** A model file that is to be had, from wherever it can be had; or a version of an adapter. */
export interface WantedModel {
  /** Its name in the library. */
  name: string;
  /** Web addresses of the very same file, the preferred one first; empty when only peers have it. */
  urls: string[];
  /** A person typed the address: it may lead into this computer’s own network. */
  typed?: boolean;
  /** Length of the file, where known. */
  bytes?: number;
  /** 64 hex, where known. */
  sha256?: string;
  /** Whatever the first complete download has is what the name stands for from then on: of a catalogue’s name only. */
  pin?: boolean;
  /** SPDX identifier, or a name such as `gemma`. */
  licence?: string;
  /** Default: it is a model. */
  adapter?: WantedAdapter;
}

/**
 * The model at a web address, named after the file there. The page of a file on Hugging Face (`/blob/`) means the file.
 * @throws BAD_REQUEST when it is no http(s) address, holds a name or password, leads to one of several files of a model, or no name can
 *   be made of it
 */
export function modelFromUrl(address: string, name?: string): WantedModel {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw badAddress(say('library.notHttp'), say('library.wholeAddress'));
  }
  if (url.username || url.password) {
    throw badAddress(say('library.hasPassword'), say('library.takeOut'));
  }
  if ((pieceIn(fileName(url))?.count ?? 1) > 1) {
    throw badAddress(say('library.onePiece'), say('library.otherSize'));
  }
  url.hash = '';
  url.pathname = url.pathname.replace(/^(\/[^/]+\/[^/]+)\/blob\/(?=.*\.gguf$)/, '$1/resolve/');
  const named = name ?? fileName(url).replace(/\.gguf$/i, '');
  checkModelName(named);
  return { name: named, urls: [url.href], typed: true };
}

/** An address as it may be kept and shown: without name, password and query, which may hold a token. */
export function shownAddress(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : address;
}

/** The last part of the path, decoded where it can be. */
function fileName({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // a name as it stands is still a name; whether it may be one is checked
  }
}

function badAddress(message: Words, hint: Words): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'url' });
}

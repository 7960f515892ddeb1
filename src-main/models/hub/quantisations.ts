import { quantisationIn } from '../../../src-preload/contract/quantisation.ts';
import { isModelName } from '../model-name.ts';
import { pieceIn } from '../pieces.ts';
import type { Sibling } from './hub-answers.ts';

/** A model file of a repository, or one that comes in pieces. */
export interface HubFile {
  /** «Q4_K_M»; the file's name where it names none. */
  name: string;
  /** Path in the repository; of several pieces the first. */
  path: string;
  /** All pieces together. */
  bytes: number;
  sha256: string | undefined;
  pieces: number;
}

/** Letters, digits and common marks; no segment begins with a dot, so that none leads upwards. */
const SOUND_PATH =
  /^(?:[\w(+][\w .()+,=@~-]{0,199}\/){0,8}[\w(+][\w .()+,=@~-]{0,199}\.gguf(?:\.part\d{1,3}of\d{1,3}|-split-[a-z])?$/i;
/** Parts of a model, not models: what reads images, what weights were measured with, a vocabulary. */
const NO_MODEL = /mmproj|imatrix|(?:^|[-_./])vocab[-_.]/i;
const LONGEST_NAME = 100;

/** Whether a path of a stranger's list may go into an address. */
export function isSoundPath(path: string): boolean {
  return path.length <= 500 && SOUND_PATH.test(path);
}

/** The model files of a repository, the smallest first. What is no model, or has no sound name or no length, is left out. */
export function hubFiles(siblings: readonly Sibling[]): HubFile[] {
  const models = siblings.filter(({ rfilename }) => isSoundPath(rfilename) && !NO_MODEL.test(rfilename));
  const groups = Map.groupBy(models, ({ rfilename }) => {
    const piece = pieceIn(rfilename);
    return piece ? `${piece.whole}-of-${piece.count}` : rfilename;
  });
  return [...groups.values()]
    .flatMap((pieces) => fileOf(pieces.toSorted((a, b) => (a.rfilename < b.rfilename ? -1 : 1))) ?? [])
    .sort((a, b) => a.bytes - b.bytes || (a.path < b.path ? -1 : 1));
}

function fileOf(pieces: readonly Sibling[]): HubFile | undefined {
  const [first] = pieces;
  const bytes = pieces.reduce((sum, { size, lfs }) => sum + (lfs?.size ?? size ?? 0), 0);
  if (!first || bytes === 0 || !Number.isSafeInteger(bytes)) return undefined;
  const { rfilename: path, lfs } = first;
  const count = Math.max(pieces.length, pieceIn(path)?.count ?? 1);
  const whole = withoutEnding(path);
  return {
    name: quantisationIn(whole) ?? lastPart(whole),
    path,
    bytes,
    sha256: count === 1 ? lfs?.sha256 : undefined,
    pieces: count,
  };
}

/**
 * What a file is called in the library: its own name, of what it may be called so; of «ggml-model-q4_0.gguf», which tells nothing,
 * the repository's.
 * @param id `owner/name`
 * @param isTaken whether another file has that name: then the owner's stands behind it
 */
export function modelNameOf(id: string, path: string, isTaken: (name: string) => boolean): string {
  const [owner = '', repository = ''] = id.split('/');
  const file = lastPart(withoutEnding(path));
  const quantisation = quantisationIn(file);
  const tells = !/^(?:ggml-model|model)\b/i.test(file) && file.toLowerCase() !== quantisation?.toLowerCase();
  const plain = repository.replace(/[-_.]gguf$/i, '');
  const wanted = tells ? file : [plain, quantisation].filter(Boolean).join('-');
  const name = named(wanted);
  return isModelName(name) && !isTaken(name) ? name : named(wanted, `-${owner}`);
}

/** Names are file names: what may not be in one becomes a dash. */
function named(wanted: string, ending = ''): string {
  const kept = wanted.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'model';
  return kept.slice(0, LONGEST_NAME - ending.length) + ending;
}

/** Without `.gguf`, and without the number of a piece. */
function withoutEnding(path: string): string {
  return pieceIn(path)?.whole ?? path.replace(/\.gguf$/i, '');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

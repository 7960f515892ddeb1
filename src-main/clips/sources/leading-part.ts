/** What a video is kept in, by its first bytes. */
const EBML = Buffer.from('1a45dfa3', 'hex');
const OGG = Buffer.from('OggS');
const PROGRAM_STREAM = Buffer.from('000001ba', 'hex');

/** So many bytes tell. */
export const HEAD_BYTES = 256 << 10;

/**
 * Whether the beginning of a video can be played without the rest: WebM, Ogg and MPEG program streams can, and MP4 where its index comes before its pictures.
 * @param head of the file, {@link HEAD_BYTES} or all of it
 */
export function isPlayedFromTheFront(head: Buffer): boolean {
  if ([EBML, OGG, PROGRAM_STREAM].some((mark) => head.subarray(0, 4).equals(mark))) return true;
  return head.subarray(4, 8).toString('latin1') === 'ftyp' && indexComesFirst(head);
}

/** ISO 14496-12: boxes of a length and a name, one after the other. */
function indexComesFirst(head: Buffer): boolean {
  for (let at = 0; at + 16 <= head.length; ) {
    const name = head.subarray(at + 4, at + 8).toString('latin1');
    if (name === 'moov') return true;
    if (name === 'mdat') return false;
    const length = head.readUInt32BE(at);
    const long = length === 1 ? Number(head.readBigUInt64BE(at + 8)) : length;
    if (long < 8) return false;
    at += long;
  }
  return false;
}

/** Pictures are not equally many bytes all along, and what comes before them is some, too. */
const [MARGIN, EXTRA_BYTES, EXTRA_SECONDS] = [1.5, 2 << 20, 10];

/**
 * How many bytes the first so many seconds of a video are, at a guess that is rather too high.
 * @param of its length in seconds, null where that is not known
 */
export function leadingBytes(bytes: number, of: number | null, mostSeconds: number): number {
  if (of === null || of <= mostSeconds + EXTRA_SECONDS) return bytes;
  return Math.min(bytes, Math.ceil(((mostSeconds + EXTRA_SECONDS) / of) * bytes * MARGIN) + EXTRA_BYTES);
}

/** Of ISO 14496-12: times are seconds since 1904. */
const SECONDS_FROM_1904 = 2_082_844_800;
/** Boxes that hold nothing but boxes, as far as times are in them. */
const OUTER = new Set(['moov', 'trak', 'mdia']);
/** Boxes that begin with a time of making and one of changing (ISO 14496-12, 8.2.2, 8.3.2, 8.4.2). */
const TIMED = new Set(['mvhd', 'tkhd', 'mdhd']);
const HEADER_BYTES = 8;

/**
 * Puts one time in place of those of the index of an MP4, which tell when it was written.
 * @param moov the whole box; changed in place
 * @param time Unix milliseconds; null for «not known»
 */
export function setMp4Times(moov: Uint8Array, time: number | null): void {
  const seconds = time === null ? 0 : Math.floor(time / 1_000) + SECONDS_FROM_1904;
  const view = new DataView(moov.buffer, moov.byteOffset, moov.byteLength);
  setIn(view, 0, moov.byteLength, seconds);
}

function setIn(view: DataView, from: number, end: number, seconds: number): void {
  for (let at = from; at + HEADER_BYTES <= end; ) {
    const bytes = view.getUint32(at);
    if (bytes < HEADER_BYTES) return; // to its end, or larger than an index is
    const type = typeAt(view, at);
    if (OUTER.has(type)) setIn(view, at + HEADER_BYTES, at + bytes, seconds);
    if (TIMED.has(type)) setTimes(view, at + HEADER_BYTES, seconds);
    at += bytes;
  }
}

/** After the version, which says how wide they are, and three bytes of flags. */
function setTimes(view: DataView, at: number, seconds: number): void {
  const isWide = view.getUint8(at) === 1;
  for (const index of [0, 1]) {
    if (isWide) view.setBigUint64(at + 4 + 8 * index, BigInt(seconds));
    else view.setUint32(at + 4 + 4 * index, seconds);
  }
}

function typeAt(view: DataView, at: number): string {
  return String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
}

import { MOST_FETCHED_SECONDS } from '../../../src-preload/contract/data-limits.ts';
import { type MediaFacts, UnusableMedia } from './media.ts';
import { AUDIO_CODECS, MOST_PIXELS, VIDEO_CODECS } from './strange-file.ts';

/** Arguments by which ffprobe says what {@link PacketReader} reads: no more of the packets than somebody will ever look at. */
export const PACKETS_WANTED = [
  ...['-read_intervals', `%+${MOST_FETCHED_SECONDS + 1}`, '-of', 'compact=p=1:nk=0'],
  ...[
    '-show_entries',
    'format=start_time:stream=index,codec_type,codec_name,width,height:stream_disposition=attached_pic',
  ],
  ...['-show_entries', 'packet=stream_index,pts_time,dts_time,duration_time,flags'],
];
/** A line has at most some 120 bytes. In five minutes there are 60 × 300 pictures and 50 × 300 sounds, and both may be four times as many. */
export const MOST_PACKET_BYTES = 20_000_000;
const LONGEST_LINE = 4_000;

/** With what only a copy wants to know. */
export interface ReadFacts extends MediaFacts {
  /** How long before a picture is shown its packet may stand, seconds. */
  delay: number;
}

interface Packets {
  /** The latest end. */
  to: number;
  delay: number;
  keyFrames: number[];
}

/** Reads what ffprobe says, line by line as it comes, and keeps next to nothing of it. */
export class PacketReader {
  readonly #packets = new Map<string, Packets>();
  readonly #streams: Record<string, string>[] = [];
  #start = 0;
  #rest = '';

  add(bytes: Buffer): void {
    const lines = (this.#rest + bytes.toString('latin1')).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) this.#line(line.trimEnd());
  }

  /** @param bytes of the file @throws UnusableMedia where there is nothing to be seen */
  facts(bytes: number): ReadFacts {
    const pictures = this.#streams.filter(
      (each) => each.codec_type === 'video' && each['disposition:attached_pic'] !== '1',
    );
    const [video] = pictures;
    if (!video) throw new UnusableMedia('noVideo');
    const { codec_name: videoCodec = '' } = video;
    if (!VIDEO_CODECS.has(videoCodec)) throw new UnusableMedia('codec');
    const [width, height] = [Number(video.width), Number(video.height)];
    if (width * height > MOST_PIXELS) throw new UnusableMedia('tooLarge');
    const packets = this.#packets.get(video.index ?? '');
    if (!packets || !(width > 0 && height > 0)) throw new UnusableMedia('damaged');
    const seconds = micros(Math.min(packets.to - this.#start, MOST_FETCHED_SECONDS + 1));
    if (!(seconds > 0)) throw new UnusableMedia('damaged');
    const keyFrames = packets.keyFrames.map((at) => micros(at - this.#start)).sort((a, b) => a - b);
    return {
      seconds,
      keyFrames,
      width,
      height,
      videoCodec,
      audioCodec: this.#audioCodec(),
      bytes,
      delay: packets.delay,
    };
  }

  #audioCodec(): string | null {
    const audio = this.#streams.find(({ codec_type }) => codec_type === 'audio');
    const isHeard = audio && AUDIO_CODECS.has(audio.codec_name ?? '') && this.#packets.has(audio.index ?? '');
    return isHeard ? (audio.codec_name ?? null) : null;
  }

  #line(line: string): void {
    const [kind, ...fields] = line.split('|');
    const entries = Object.fromEntries(fields.map((field) => pair(field)));
    if (kind === 'packet') this.#packet(entries);
    else if (kind === 'stream') this.#streams.push(entries);
    else if (kind === 'format') this.#start = time(entries.start_time) ?? 0;
  }

  #packet({ stream_index = '', pts_time, dts_time, duration_time, flags = '' }: Record<string, string>): void {
    const read = time(dts_time);
    const from = time(pts_time) ?? read;
    // «D»: an edit list says that it is not shown.
    if (from === undefined || flags.includes('D')) return;
    const packets = this.#packets.get(stream_index) ?? { to: from, delay: 0, keyFrames: [] };
    packets.delay = Math.max(packets.delay, from - (read ?? from));
    packets.to = Math.max(packets.to, from + (time(duration_time) ?? 0));
    if (flags.includes('K')) packets.keyFrames.push(from);
    this.#packets.set(stream_index, packets);
  }
}

function pair(field: string): [string, string] {
  const at = field.indexOf('=');
  return [field.slice(0, at), field.slice(at + 1)];
}

/** ffprobe says no more digits. */
const micros = (seconds: number) => Math.round(seconds * 1e6) / 1e6;

/** «N/A» is none. */
function time(text: string | undefined): number | undefined {
  const value = Number(text);
  return text && Number.isFinite(value) ? value : undefined;
}

import { describe, expect, it } from 'vitest';
import { PacketReader } from '../../../../src-main/clips/media/packets.ts';

const VIDEO = 'stream|index=0|codec_name=h264|codec_type=video|width=320|height=240|disposition:attached_pic=0';
const AUDIO = 'stream|index=1|codec_name=aac|codec_type=audio|disposition:attached_pic=0';
const START = 'format|start_time=0.000000';
const packet = (stream: number, at: string, flags = '__', read = at) =>
  `packet|stream_index=${stream}|pts_time=${at}|dts_time=${read}|duration_time=0.100000|flags=${flags}`;

function read(lines: readonly string[], step = 7) {
  const reader = new PacketReader();
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  for (let at = 0; at < bytes.length; at += step) reader.add(bytes.subarray(at, at + step));
  return reader.facts(1_000);
}

describe('PacketReader', () => {
  it('reads facts in whatever pieces they come', () => {
    const lines = [
      packet(0, '0.0', 'K_', '-0.2'),
      packet(1, '0.0', 'K_'),
      packet(0, '0.4'),
      packet(0, '0.2'),
      VIDEO,
      AUDIO,
      START,
    ];
    for (const step of [1, 7, 5_000])
      expect(read(lines, step)).toEqual({
        ...{ seconds: 0.5, keyFrames: [0], width: 320, height: 240, bytes: 1_000, delay: 0.2 },
        ...{ videoCodec: 'h264', audioCodec: 'aac' },
      });
  });

  it('counts from where the file begins, and by its packets alone', () => {
    const lines = [packet(0, '100.5', 'K_'), packet(0, '103.5', 'K_'), VIDEO, 'format|start_time=100.0'];
    expect(read(lines)).toMatchObject({ seconds: 3.6, keyFrames: [0.5, 3.5], audioCodec: null });
  });

  it('says a second more than is looked at where there is more, whatever a packet says of its length', () => {
    const endless = packet(0, '8.0', 'K_').replace('0.100000', '9e9');
    expect(read([packet(0, '0.0', 'K_'), endless, VIDEO, START]).seconds).toBe(301);
  });

  it('leaves out what an edit list hides, and what says no time', () => {
    const lines = [packet(0, '0.0', 'KD'), packet(0, '1.0', 'K_'), packet(0, 'N/A', '__'), VIDEO, START];
    expect(read(lines)).toMatchObject({ seconds: 1.1, keyFrames: [1] });
  });

  it('hears no sound of which there is no packet, or which nobody here can decode', () => {
    expect(read([packet(0, '0.0', 'K_'), VIDEO, AUDIO, START]).audioCodec).toBeNull();
    const other = AUDIO.replace('aac', 'wmapro');
    expect(read([packet(0, '0.0', 'K_'), packet(1, '0.0'), VIDEO, other, START]).audioCodec).toBeNull();
  });

  it.each([
    ['noVideo', [packet(1, '0.0'), AUDIO, START]],
    ['noVideo', [packet(0, '0.0'), VIDEO.replace('attached_pic=0', 'attached_pic=1'), START]],
    ['codec', [packet(0, '0.0'), VIDEO.replace('h264', 'png'), START]],
    ['tooLarge', [packet(0, '0.0'), VIDEO.replace('width=320', 'width=900000'), START]],
    ['damaged', [VIDEO, START]],
    ['damaged', [packet(0, '0.0'), VIDEO.replace('width=320', 'width=0'), START]],
    ['damaged', [packet(0, '-5.0'), VIDEO, START]],
  ])('refuses what is not to be used: %s', (fault, lines) => {
    expect(() => read(lines)).toThrow(expect.objectContaining({ fault }));
  });

  it('keeps no line that has no end', () => {
    const reader = new PacketReader();
    for (let times = 0; times < 1_000; times++) reader.add(Buffer.alloc(65_536, 'x'));
    reader.add(Buffer.from(`\n${[packet(0, '0.0', 'K_'), VIDEO, START].join('\n')}\n`));
    expect(reader.facts(1).seconds).toBeCloseTo(0.1);
  });
});

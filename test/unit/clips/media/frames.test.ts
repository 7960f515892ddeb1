import { describe, expect, it } from 'vitest';
import {
  atOnce,
  evenly,
  frameBefore,
  framesAt,
  mostBytesOf,
  picturesOf,
  scaledTo,
} from '../../../../src-main/clips/media/frames.ts';

const ppm = (width: number, height: number, value: number) =>
  Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), Buffer.alloc(3 * width * height, value)]);

describe('pictures of a stretch', () => {
  it('are in the middle of equal parts', () => {
    expect(evenly({ from: 10, to: 18 }, 4)).toEqual([11, 13, 15, 17]);
    expect(evenly({ from: 3, to: 4 }, 1)).toEqual([3.5]);
  });

  it('are decoded beside each other as far as memory allows', () => {
    expect(atOnce({ width: 1_920, height: 1_080 })).toBe(8);
    expect(atOnce({ width: 3_840, height: 2_160 })).toBe(2);
    expect(atOnce({ width: 6_000, height: 6_000 })).toBe(1);
    expect(atOnce({ width: 16, height: 16 })).toBe(16);
  });

  it('are asked for with each file guarded', () => {
    const args = framesAt('/a/b c.mp4', [1, 2, 3], 64, '5.0');
    expect(args.filter((arg) => arg === 'file:/a/b c.mp4').length).toBe(3);
    expect(args.filter((arg) => arg === '-protocol_whitelist').length).toBe(3);
    expect(args.filter((arg) => arg === '-format_whitelist').length).toBe(3);
  });

  it.each([
    ['4.4.2', '-vsync'],
    ['5.0.1', '-vsync'],
    ['5.1.9-0+deb12u1', '-fps_mode'],
    ['9.0.2-17-g2a571b6068', '-fps_mode'],
    ['N-118000-gabcdef', '-fps_mode'],
  ])('are asked of ffmpeg %s each as it comes, by %s', (version, option) => {
    const [first, second] = ['-vsync', '-fps_mode'].map((one) => framesAt('/a', [1], 64, version).includes(one));
    expect([first, second]).toEqual([option === '-vsync', option === '-fps_mode']);
    expect(frameBefore('/a', 1, 64, version)).toContain(option);
  });

  it('are read one after another, each with its own size', () => {
    const pictures = picturesOf(Buffer.concat([ppm(2, 1, 7), ppm(1, 3, 9)]));
    expect(pictures).toEqual([
      { width: 2, height: 1, rgb: new Uint8Array(6).fill(7) },
      { width: 1, height: 3, rgb: new Uint8Array(9).fill(9) },
    ]);
    expect(pictures[0]?.rgb.buffer.byteLength).toBe(6);
  });

  it('leave out one that was cut off, and are nothing else than pictures', () => {
    expect(picturesOf(Buffer.concat([ppm(2, 2, 1), ppm(2, 2, 2).subarray(0, 15)])).length).toBe(1);
    expect(picturesOf(Buffer.alloc(0))).toEqual([]);
    expect(() => picturesOf(Buffer.from('P5\n2 2\n255\n1234'))).toThrow(RangeError);
    expect(() => picturesOf(Buffer.from('P6\n999999 999999\n255\n'))).toThrow(RangeError);
  });

  it('fit into what is kept of them', () => {
    expect(3 * ppm(448, 448, 0).length).toBeLessThanOrEqual(mostBytesOf(3, 448));
    expect(scaledTo(448)).toContain('bitexact');
  });
});

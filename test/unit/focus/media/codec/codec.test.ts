import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Vp9Decoder } from '../../../../../src-main/focus/media/codec/vp9-decoder.ts';
import { Vp9Encoder } from '../../../../../src-main/focus/media/codec/vp9-encoder.ts';
import { hasHiddenPictures } from '../../../../../src-main/focus/media/codec/vp9-packet.ts';
import { paintedPicture } from '../../../../support/painted-video.ts';
import { readWebm } from '../../../../support/webm.ts';

const SIZE = { width: 64, height: 48, fullRange: false };

async function encoded(count: number, size = SIZE) {
  using encoder = await Vp9Encoder.open(size);
  const packets = [];
  for (let index = 0; index < count; index++) {
    const picture = await paintedPicture(size, (x, y) => [16 + ((3 * x + 2 * y + 9 * index) % 200), 90, 170]);
    packets.push(encoder.encode(picture, index * 66));
  }
  return packets;
}

it('gives one packet a picture, the first a key frame, and decodes each to about what it was', async () => {
  const packets = await encoded(20);
  expect(packets.map(({ isKey }) => isKey)).toEqual([true, ...Array(19).fill(false)]);
  using decoder = await Vp9Decoder.open();
  for (const [index, { data }] of packets.entries()) {
    using picture = decoder.decode(data, 0);
    const [light, blue, red] = picture?.planes() ?? [];
    expect([picture?.width, picture?.height]).toEqual([64, 48]);
    expect(light?.bytes[10 * light.stride + 20]).toBeCloseTo(16 + ((60 + 20 + 9 * index) % 200), -1.4);
    expect([blue?.bytes[0], red?.bytes[0]]).toEqual([90, 170]);
  }
});

describe('a covered area', () => {
  it.each([
    ['within', { x: 0.26, y: 0.26, width: 0.2, height: 0.3 }, [16, 12, 30, 28]],
    ['of all', { x: 0, y: 0, width: 1, height: 1 }, [0, 0, 64, 48]],
    ['at the corner', { x: 0.9, y: 0.9, width: 0.1, height: 0.1 }, [56, 42, 64, 48]],
  ])(
    '%s is black to the next even pixels, and nothing else is',
    async (_, area, [left = 0, top = 0, right = 0, bottom = 0]) => {
      using picture = await paintedPicture(SIZE, () => [200, 60, 220]);
      picture.cover(area);
      for (const [index, { bytes, stride, width, height }] of picture.planes().entries())
        for (let row = 0; row < height; row++)
          for (let column = 0; column < width; column++) {
            const [x, y] = index === 0 ? [column, row] : [2 * column, 2 * row];
            const isIn = x >= left && x < right && y >= top && y < bottom;
            const [was, black] = [[200, 60, 220][index], index === 0 ? 16 : 128];
            expect(bytes[row * stride + column]).toBe(isIn ? black : was);
          }
    },
  );

  it('reaches the last row and column of odd sizes', async () => {
    const odd = { width: 33, height: 17, fullRange: false };
    using picture = await paintedPicture(odd, () => [200, 60, 220]);
    picture.cover({ x: 0, y: 0, width: 1, height: 1 });
    for (const [index, { bytes, stride, width, height }] of picture.planes().entries()) {
      expect([width, height]).toEqual(index === 0 ? [33, 17] : [17, 9]);
      for (let row = 0; row < height; row++)
        expect(new Set(bytes.subarray(row * stride, row * stride + width))).toEqual(new Set([index === 0 ? 16 : 128]));
    }
  });

  it('does not change the pictures that are decoded after it', async () => {
    const packets = await encoded(3);
    using decoder = await Vp9Decoder.open();
    using plain = await Vp9Decoder.open();
    for (const { data } of packets) {
      using covered = decoder.decode(data, 0);
      using untouched = plain.decode(data, 0);
      const rowOf = (picture: typeof covered) => Buffer.from(picture?.planes()[0]?.bytes.subarray(0, 64) ?? []);
      expect(rowOf(covered)).toEqual(rowOf(untouched));
      covered?.cover({ x: 0, y: 0, width: 1, height: 1 });
    }
  });
});

it('says in words what cannot be decoded', async () => {
  using decoder = await Vp9Decoder.open();
  const failed = () => decoder.decode(Buffer.from('no packet at all'), 61_000);
  expect(failed).toThrow(/The picture at 1:01.0 cannot be read: .+/);
});

it('knows packets with pictures of later moments, as encoders that look ahead make them', async () => {
  const { video } = await readWebm(await readFile('test/fixtures/media/hidden-pictures.webm'));
  const hiding = video?.filter(({ data }) => hasHiddenPictures(data)).map(({ atMs }) => atMs);
  expect(hiding).toEqual([67, 867, 1_667, 2_467]);
  expect((await encoded(40)).filter(({ data }) => hasHiddenPictures(data))).toEqual([]);
});

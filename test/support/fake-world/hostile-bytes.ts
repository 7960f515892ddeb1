import { crc32, deflateSync } from 'node:zlib';

/** An element of Matroska. @param id hex */
export function ebml(id: string, content: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(0x0100_0000_0000_0000n + BigInt(content.length));
  return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
}

/** One square picture as a video, as its header and its bytes say. @param codec four letters */
export function aviOf(codec: string, side: number, picture: Buffer): Buffer {
  const main = numbers(40_000, 0, 0, 0x10, 8, 0, 1, picture.length, side, side, 0, 0, 0, 0);
  const stream = Buffer.concat([
    Buffer.from(`vids${codec}`),
    numbers(0, 0, 0, 1, 25, 0, 8, picture.length, 0, 0, 0, 0),
  ]);
  const format = Buffer.concat([numbers(40, side, side, 0x0018_0001), Buffer.from(codec), numbers(0, 0, 0, 0, 0)]);
  const header = list('hdrl', chunk('avih', main), list('strl', chunk('strh', stream), chunk('strf', format)));
  const pictures = Array<Buffer>(8).fill(chunk('00dc', picture));
  const body = Buffer.concat([Buffer.from('AVI '), header, list('movi', ...pictures)]);
  return chunk('RIFF', body);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}

function chunk(name: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name), numbers(content.length), content, Buffer.alloc(content.length % 2)]);
}

const list = (name: string, ...content: Buffer[]) => chunk('LIST', Buffer.concat([Buffer.from(name), ...content]));

/** A JPEG that says how large it is, and ends. */
export function jpegHeader(side: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(side, 0);
  size.writeUInt16BE(side, 2);
  const frame = Buffer.concat([Buffer.from('ffc0001108', 'hex'), size, Buffer.from('03012200021101031101', 'hex')]);
  const scan = Buffer.from('ffda000c03010002110311003f00', 'hex');
  return Buffer.concat([Buffer.from('ffd8', 'hex'), frame, scan, Buffer.alloc(2_000), Buffer.from('ffd9', 'hex')]);
}

/** A PNG of one bit a pixel, all black: a thousand times smaller than it is. */
export function pngBomb(side: number): Buffer {
  const about = Buffer.alloc(13);
  about.writeUInt32BE(side, 0);
  about.writeUInt32BE(side, 4);
  about[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side), { level: 1 });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    png('IHDR', about),
    png('IDAT', rows),
    png('IEND', Buffer.alloc(0)),
  ]);
}

function png(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

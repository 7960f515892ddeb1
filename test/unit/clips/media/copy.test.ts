import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginOfCopy, checkCopy, containerOf, copied, placed } from '../../../../src-main/clips/media/copy.ts';

const FACTS = {
  ...{ seconds: 60, keyFrames: [0, 10, 20.004, 40], width: 320, height: 180, delay: 0.1, bytes: 1 },
  ...{ videoCodec: 'h264', audioCodec: 'aac' },
};

describe('a copy', () => {
  it.each([
    ['vp9', 'opus', 'webm'],
    ['av1', null, 'webm'],
    ['av1', 'aac', 'mp4'],
    ['h264', 'aac', 'mp4'],
    ['h264', null, 'mp4'],
    ['h264', 'opus', 'matroska'],
    ['theora', 'vorbis', 'matroska'],
  ])('of %s and %s is kept as %s holds it', (videoCodec, audioCodec, container) => {
    expect(containerOf({ videoCodec, audioCodec })).toBe(container);
  });

  it('begins at the key frame before, or just there', () => {
    expect([0, 9.9, 10, 20.003, 39, 59].map((from) => beginOfCopy(FACTS, from))).toEqual([
      0, 0, 10, 20.004, 20.004, 40,
    ]);
    expect(beginOfCopy({ keyFrames: [1.5] }, 0)).toBe(1.5);
    expect(beginOfCopy({ keyFrames: [] }, 7)).toBe(0);
  });

  it('takes packets from before the key frame is read, but not from the one before it', () => {
    const args = copied('/in', { from: 10, to: 30 }, '/out', FACTS, 1_000);
    expect(Number(args[args.lastIndexOf('-ss') + 1])).toBeCloseTo(9.898);
    const late = copied('/in', { from: 10, to: 30 }, '/out', { ...FACTS, delay: 30 }, 1_000);
    expect(Number(late[late.lastIndexOf('-ss') + 1])).toBe(5);
    expect(args).toContain('file:/out');
    expect(args[args.indexOf('-map_metadata') + 1]).toBe('-1');
  });

  it('is held to what it was to be', () => {
    const made = { ...FACTS, seconds: 20, keyFrames: [0] };
    const span = { from: 10, to: 30 };
    expect(() => checkCopy(made, FACTS, span)).not.toThrow();
    const damaged = expect.objectContaining({ fault: 'damaged' });
    expect(() => checkCopy({ ...made, seconds: 10 }, FACTS, span)).toThrow(damaged);
    expect(() => checkCopy({ ...made, keyFrames: [15] }, FACTS, span)).toThrow(damaged);
    expect(() => checkCopy({ ...made, videoCodec: 'vp9' }, FACTS, span)).toThrow(damaged);
    expect(() => checkCopy({ ...made, seconds: 140 }, FACTS, span)).toThrow(
      expect.objectContaining({ fault: 'tooLong' }),
    );
  });
});

describe('placed', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-placed-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('puts a file in its place once it is whole', async () => {
    const to = join(folder, 'clip');
    expect(await placed(to, (temporary) => writeFile(temporary, 'all of it').then(() => 7))).toBe(7);
    expect(await readFile(to, 'utf8')).toBe('all of it');
  });

  it('leaves nothing behind where it fails', async () => {
    const failing = placed(join(folder, 'clip'), async (temporary) => {
      await writeFile(temporary, 'half');
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(await readdir(folder)).toEqual([]);
  });
});

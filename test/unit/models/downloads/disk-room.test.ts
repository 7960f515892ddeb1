import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskRoom } from '../../../../src-main/models/downloads/disk-room.ts';
import { PartialFile } from '../../../../src-main/models/downloads/partial-file.ts';

const MIB = 1 << 20;
const RESERVE = 64 * MIB;

let folder: string;
let free: number;
let room: DiskRoom;
let first: PartialFile;
let second: PartialFile;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-room-'));
  room = new DiskRoom(folder, async () => free);
  first = await PartialFile.create(folder, { name: 'first', urls: [] }, 'anywhere');
  second = await PartialFile.create(folder, { name: 'second', urls: [] }, 'anywhere');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('DiskRoom', () => {
  it('promises the same free bytes to one file only, for as long as that one comes', async () => {
    free = RESERVE + 100 * MIB;
    await room.reserve(first, 60 * MIB);
    await room.reserve(first, 60 * MIB);
    await expect(room.reserve(second, 60 * MIB)).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: /other downloads/,
    });
    await room.reserve(second, 40 * MIB);
    room.release(first);
    await room.reserve(second, 100 * MIB);
  });

  it('gives room to one of two who ask at once', async () => {
    free = RESERVE + 100 * MIB;
    const asked = await Promise.allSettled([room.reserve(first, 60 * MIB), room.reserve(second, 60 * MIB)]);
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('stops a file of unknown length before it takes what is reserved, or what another still needs', async () => {
    free = RESERVE + 100 * MIB;
    const fill = async () => {
      for (; free > 0; free -= MIB) await room.allow(first, MIB);
    };
    await expect(fill()).rejects.toMatchObject({ code: 'DISK_FULL', message: /nearly full/ });
    expect(free).toBeGreaterThan(RESERVE / 2);
    free = RESERVE + 200 * MIB;
    await room.reserve(second, 150 * MIB);
    await expect(fill()).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(free).toBeGreaterThan(RESERVE / 2 + 150 * MIB);
  });
});

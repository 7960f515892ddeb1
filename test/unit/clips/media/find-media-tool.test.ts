import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findMediaTool, openMediaTool } from '../../../../src-main/clips/media/find-media-tool.ts';
import { checkMedia } from '../../../../src-main/hardware/doctor/media.ts';

describe.skipIf(process.platform === 'win32')('findMediaTool', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-ffmpeg-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function program(name: string, says: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\necho "${says}"\n`);
    await chmod(path, 0o755);
    return path;
  }
  const both = async (says: string) => [await program('ffmpeg', says), await program('ffprobe', says)];

  it('finds both on the path, and which they are', async () => {
    const [ffmpeg, ffprobe] = await both('ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026');
    expect(await findMediaTool({ folders: folder })).toEqual({ ffmpeg, ffprobe, version: '5.1.9-0+deb12u1' });
  });

  it('finds them where the setting says, by the program or its folder', async () => {
    const [ffmpeg = ''] = await both('ffmpeg version n7.0 Copyright');
    expect(await findMediaTool({ path: ffmpeg, folders: '' })).toMatchObject({ ffmpeg, version: '7.0' });
    expect(await findMediaTool({ path: folder, folders: '' })).toMatchObject({ ffmpeg });
  });

  it('takes the very program that is named, and no other of its folder in its place', async () => {
    await both('ffmpeg version n7.0 Copyright');
    const newer = await program('ffmpeg-8', 'ffmpeg version n8.1 Copyright');
    expect(await findMediaTool({ path: newer, folders: '' })).toMatchObject({ ffmpeg: newer, version: '8.1' });
    const other = await program('list', 'no such thing');
    expect(await findMediaTool({ path: other, folders: '' })).toMatchObject({ lacks: { key: 'clips.media.silent' } });
    const misspelt = join(folder, 'ffmpeg-9');
    expect(await findMediaTool({ path: misspelt })).toMatchObject({ lacks: { key: 'clips.media.notThere' } });
  });

  it('takes a build between versions for a new one', async () => {
    await both('ffmpeg version N-113007-g8d24a28d06 Copyright');
    expect(await findMediaTool({ folders: folder })).toMatchObject({ version: 'N-113007-g8d24a28d06' });
  });

  it.each([
    ['linux', 'clips.media.getLinux'],
    ['darwin', 'clips.media.getMac'],
    ['win32', 'clips.media.getWindows'],
  ] as const)('says what is missing on %s, and how to get it', async (platform, hint) => {
    const found = await findMediaTool({ folders: folder, platform });
    expect(found).toMatchObject({ lacks: { key: 'clips.media.none' }, hint: { key: hint } });
  });

  it('says what else is wrong', async () => {
    expect(await findMediaTool({ path: '/nowhere/ffmpeg' })).toMatchObject({ lacks: { key: 'clips.media.notThere' } });
    await program('ffmpeg', 'ffmpeg version 3.4 Copyright');
    expect(await findMediaTool({ folders: folder })).toMatchObject({ lacks: { key: 'clips.media.noProbe' } });
    await program('ffprobe', '');
    expect(await findMediaTool({ folders: folder })).toMatchObject({ lacks: { key: 'clips.media.old' } });
    await program('ffmpeg', 'hello');
    expect(await findMediaTool({ folders: folder })).toMatchObject({ lacks: { key: 'clips.media.silent' } });
  });

  it('opens nothing where there is none', async () => {
    await expect(openMediaTool({ path: '/nowhere' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('is told by the doctor', async () => {
    expect(checkMedia({ version: '7.0' })).toMatchObject({ status: 'ok', found: expect.stringContaining('7.0') });
    const found = await findMediaTool({ folders: folder, platform: 'linux' });
    const check = checkMedia('lacks' in found ? found : { version: found.version });
    expect(check).toMatchObject({ status: 'warn', advice: expect.stringContaining('«ffmpeg»') });
  });
});

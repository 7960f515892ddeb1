import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { FfmpegTool } from '../../src-main/clips/media/ffmpeg-tool.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import { writeFilm } from '../support/fake-world/film.ts';
import { randomScene } from '../support/fake-world/scene.ts';
import { mediaToolContract } from '../support/media-tool-contract.ts';

const programs = await findMediaTool();
const lacking = 'lacks' in programs ? 'there is no ffmpeg' : undefined;

mediaToolContract(
  'ffmpeg',
  async () => {
    if ('lacks' in programs) throw new Error(lacking);
    return new FfmpegTool({ programs });
  },
  lacking,
);

it.skipIf(lacking !== undefined)('does not read through anew what it has just cut', async () => {
  if ('lacks' in programs) return;
  const dir = await mkdtemp(join(tmpdir(), 'quarry-cut-'));
  const { signal } = new AbortController();
  try {
    const shots = [{ scene: randomScene(seededRandom(1)), seconds: 8 }];
    await writeFilm(join(dir, 'whole.mp4'), { shots, sound: null, width: 160, height: 120, format: 'mp4' });
    const found = { ...programs };
    const tool = new FfmpegTool({ programs: found });
    const facts = await tool.cut(join(dir, 'whole.mp4'), { from: 0, to: 6 }, join(dir, 'cut'), { signal });
    found.ffprobe = join(dir, 'no ffprobe'); // whoever wanted it now would say so
    expect(await tool.probe(join(dir, 'cut'), { signal })).toEqual(facts);
    await expect(new FfmpegTool({ programs: found }).probe(join(dir, 'cut'), { signal })).rejects.toThrow();
  } finally {
    await rm(dir, { recursive: true });
  }
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { FfmpegTool, type FoundPrograms } from '../../src-main/clips/media/ffmpeg-tool.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { writeFilm } from '../support/fake-world/film.ts';
import { randomScene } from '../support/fake-world/scene.ts';
import { mediaToolContract } from '../support/media-tool-contract.ts';

const programs = await findMediaTool();
const lacking = 'lacks' in programs ? 'there is no ffmpeg' : undefined;
const hasNoNewOptions = 'lacks' in programs || Number.parseFloat(programs.version) < 5.1;

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

/** An ffmpeg that knows an option no more: it says so as the real one does. */
async function without(option: string, dir: string, { ffmpeg, ...programs }: FoundPrograms): Promise<FoundPrograms> {
  const path = join(dir, `without${option}`);
  const refuses = `[ "$each" = "${option}" ] && { echo "Unrecognized option '${option.slice(1)}'.
Error splitting the argument list: Option not found" >&2; exit 8; }`;
  await writeFile(path, `#!/bin/sh\nfor each; do ${refuses}; done\nexec "${ffmpeg}" "$@"\n`, { mode: 0o700 });
  return { ...programs, ffmpeg: path };
}

it.skipIf(hasNoNewOptions || process.platform === 'win32')(
  'takes the same pictures with an ffmpeg that has lost old options, and blames no file for one that has lost more',
  async () => {
    if ('lacks' in programs) return;
    const dir = await mkdtemp(join(tmpdir(), 'quarry-options-'));
    const [{ signal }, film, span] = [new AbortController(), join(dir, 'film.mp4'), { from: 0, to: 6 }];
    const want = { count: 8, side: 64, signal };
    try {
      const shots = [{ scene: randomScene(seededRandom(1)), seconds: 6 }];
      await writeFilm(film, { shots, sound: null, width: 160, height: 120, format: 'mp4' });
      const pictures = await new FfmpegTool({ programs }).pictures(film, span, want);
      const newer = new FfmpegTool({ programs: await without('-vsync', dir, programs) }); // gone with ffmpeg 9
      expect(await newer.pictures(film, span, want)).toEqual(pictures);
      const newest = new FfmpegTool({ programs: await without('-filter_complex', dir, programs) });
      await expect(newest.pictures(film, span, want)).rejects.toThrow(QuarryError);
    } finally {
      await rm(dir, { recursive: true });
    }
  },
);

import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { onPath } from '../../base/on-path.ts';
import { ignoring } from '../../base/swallowed.ts';
import { runBounded } from './bounded-program.ts';
import { FfmpegTool, type FfmpegToolOptions, type FoundPrograms } from './ffmpeg-tool.ts';

/** What is missing, and how to get it. */
export interface LackingPrograms {
  lacks: Saying;
  hint: Saying;
}

export interface FindOptions {
  /** The setting: ffmpeg, or the folder that it is in. Default: as one types it. */
  path?: string | undefined;
  /** Folders as in the environment. Default: those of this process. */
  folders?: string | undefined;
  platform?: NodeJS.Platform;
  signal?: AbortSignal;
}

/** From here on it has all that is asked of it. */
const LEAST_VERSION = 4;
const BOUNDS = { cpuSeconds: 10, wallSeconds: 20, memoryMiB: 512, outputBytes: 100_000, fileBytes: 0 };

/** Looks for ffmpeg and ffprobe, and asks which they are. */
export async function findMediaTool(options: FindOptions = {}): Promise<FoundPrograms | LackingPrograms> {
  const { path = '', folders, platform = process.platform, signal = new AbortController().signal } = options;
  const hint = howToGetIt(platform);
  const { ffmpeg, where } = path === '' ? { ffmpeg: onPath('ffmpeg', folders), where: folders } : await named(path);
  const ffprobe = onPath('ffprobe', where) ?? onPath('ffprobe', folders);
  if (!ffmpeg) return { lacks: path === '' ? say('clips.media.none') : say('clips.media.notThere', { path }), hint };
  if (!ffprobe) return { lacks: say('clips.media.noProbe', { path: ffmpeg }), hint };
  const version = await versionOf(ffmpeg, signal);
  if (version === undefined) return { lacks: say('clips.media.silent', { path: ffmpeg }), hint };
  // Builds between versions have a name in place of a number, and are newer than any that is too old.
  if (Number.parseInt(version, 10) < LEAST_VERSION)
    return { lacks: say('clips.media.old', { version, needed: `${LEAST_VERSION}.0` }), hint };
  return { ffmpeg, ffprobe, version };
}

/** Opens what reads and cuts videos. @throws UNSUPPORTED where there is no such program, with how to get it */
export async function openMediaTool({
  path,
  ...options
}: Pick<FindOptions, 'path'> & Omit<FfmpegToolOptions, 'programs'> = {}): Promise<FfmpegTool> {
  const programs = await findMediaTool({ path });
  if ('lacks' in programs) throw lacking(programs);
  return new FfmpegTool({ programs, ...options });
}

/** The same as an error, for who cannot do without. */
export function lacking({ lacks, hint }: LackingPrograms): QuarryError {
  return new QuarryError({ code: 'UNSUPPORTED', message: lacks, hint });
}

/** The very program that is named, whatever it is called, or the one of that folder; and where the other one is looked for first. */
async function named(path: string): Promise<{ ffmpeg: string | undefined; where: string }> {
  const about = await stat(path).catch(ignoring('what is not there has no programs in it'));
  if (about?.isDirectory()) return { ffmpeg: onPath('ffmpeg', path), where: path };
  // Of a name that is not there, an ending may be left out.
  return { ffmpeg: about ? path : onPath(basename(path), dirname(path)), where: dirname(path) };
}

async function versionOf(program: string, signal: AbortSignal): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  const run = { program, args: ['-version'], bounds: BOUNDS, signal, onOutput: (bytes: Buffer) => chunks.push(bytes) };
  await runBounded(run).catch((error: unknown) => {
    signal.throwIfAborted();
    return ignoring('what cannot be started says no version')(error);
  });
  return /^ffmpeg version n?(\S{1,60})/.exec(Buffer.concat(chunks).toString('latin1'))?.[1];
}

function howToGetIt(platform: NodeJS.Platform): Saying {
  if (platform === 'win32') return say('clips.media.getWindows');
  return platform === 'darwin' ? say('clips.media.getMac') : say('clips.media.getLinux');
}

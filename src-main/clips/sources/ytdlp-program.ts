import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { keptJson } from '../../base/kept-json.ts';

/** Runs a program in bounds, without input, and with little of the environment. */
export type RunProgram = (run: {
  program: string;
  args: readonly string[];
  bounds: {
    cpuSeconds: number;
    wallSeconds: number;
    memoryMiB: number;
    /** Of what it prints. */
    outputBytes: number;
    /** Of a file that it writes. */
    fileBytes: number;
  };
  signal: AbortSignal;
  onOutput?: (bytes: Buffer) => void;
}) => Promise<{ code: number | null; exceeded: 'time' | 'memory' | 'output' | null; complaint: string }>;

/** Of what it knows of a video, the fields that are asked for: all of them are half a megabyte. */
const FIELDS = [
  ...['id', 'title', 'description', 'license', 'channel', 'uploader', 'duration', 'webpage_url', 'extractor_key'],
  ...['is_live', 'age_limit'],
];
const text = z.string().max(200_000).nullish();
const toldSchema = z.object({
  id: z.string(),
  title: text,
  description: text,
  license: text,
  channel: text,
  uploader: text,
  duration: z.number().nullish(),
  extractor_key: text,
  is_live: z.boolean().nullish(),
  age_limit: z.number().nullish(),
});
/** What yt-dlp says of a video. */
export type ToldByProgram = z.infer<typeof toldSchema>;

const [MOST_OUTPUT_BYTES, MOST_LINE] = [4 << 20, 1 << 20];
/**
 * As a single program it unpacks itself into temporary files first. What runs the scripts of sites (deno) reserves 32 GiB of addresses that it never fills, so addresses are hardly bounded: the
 * program is the user's own, and it is time that it may not take for ever.
 */
const BOUNDS = { memoryMiB: 16_384, fileBytes: 512 << 20 };
/**
 * Neither the user's configuration, nor a cache, nor anything that is not asked for here; a second between two requests. What follows `--` is no option, whatever it looks like.
 */
const ALWAYS = [
  ...['--ignore-config', '--no-cache-dir', '--no-warnings', '--no-progress', '--no-colors', '--no-playlist'],
  ...['--socket-timeout', '20', '--retries', '3', '--sleep-requests', '1'],
];

/** The least that will do, with sounds; in two files that the program joins where there is no such thing in one. */
const FORMAT = 'w[height>=240][acodec!=none]/wv[height>=240]+wa/w';

export interface YtDlpOptions {
  /** Where it is. */
  program: string;
  run: RunProgram;
}

/**
 * What yt-dlp says of videos.
 * @param target a search, or an address
 * @throws QuarryError; the signal's reason
 */
export async function askProgram(
  { program, run }: YtDlpOptions,
  target: string,
  { items, signal }: { items?: string; signal: AbortSignal },
): Promise<{ told: ToldByProgram[]; complaint: string }> {
  const choice = items === undefined ? [] : ['--ignore-errors', '--playlist-items', items];
  const print = ['--skip-download', '--print', `%(.{${FIELDS.join(',')}})j`];
  const bounds = { ...BOUNDS, cpuSeconds: 120, wallSeconds: 300, outputBytes: MOST_OUTPUT_BYTES };
  const output: Buffer[] = [];
  const args = [...ALWAYS, ...choice, ...print, '--', target];
  const end = await run({ program, args, bounds, signal, onOutput: (bytes) => output.push(bytes) });
  if (end.exceeded) throw tooLong();
  const lines = Buffer.concat(output).toString('utf8').split('\n');
  const told = lines.filter((line) => line.trim() !== '').map(toldIn);
  if (told.length === 0 && end.code !== 0 && !isGone(end.complaint)) throw failed(end.complaint);
  return { told, complaint: end.complaint };
}

/**
 * Fetches a video into a folder, or goes on with what is there of it.
 * @param name of the file, less what is put behind it @returns where it is; undefined where it is more than may be
 * @throws QuarryError; the signal's reason
 */
export async function fetchByProgram(
  { program, run }: YtDlpOptions,
  target: string,
  { to, mostBytes, signal }: { to: string; mostBytes: number; signal: AbortSignal },
): Promise<string | undefined> {
  const output: Buffer[] = [];
  const template = `${to.replaceAll('%', '%%')}.%(ext)s`;
  const args = [
    ...[...ALWAYS, '--continue', '--no-mtime', '--format', FORMAT, '--max-filesize', String(mostBytes)],
    ...['--output', template, '--print', 'after_move:filepath', '--', target],
  ];
  const fileBytes = Math.max(mostBytes, BOUNDS.fileBytes);
  const bounds = { ...BOUNDS, fileBytes, cpuSeconds: 600, wallSeconds: 3_600, outputBytes: 65_536 };
  const end = await run({ program, args, bounds, signal, onOutput: (bytes) => output.push(bytes) });
  if (end.exceeded) throw tooLong();
  if (end.code !== 0) throw failed(end.complaint);
  return Buffer.concat(output)
    .toString('utf8')
    .split('\n')
    .findLast((line) => line !== '');
}

/** Whether what it complains of is that there is no such video, or none for everybody. */
export function isGone(complaint: string): boolean {
  return /video (is )?(unavailable|not available)|private video|been removed|does not exist|no longer available/i.test(
    complaint,
  );
}

function toldIn(line: string): ToldByProgram {
  const told = line.length > MOST_LINE ? undefined : keptJson(line, toldSchema);
  if (told) return told;
  const words = { message: say('clipSources.programNonsense'), hint: say('clipSources.updateProgram') };
  throw new QuarryError({ code: 'PROTOCOL', ...words, retryable: true });
}

function tooLong(): QuarryError {
  const words = { message: say('clipSources.programTooLong'), hint: say('clipSources.updateProgram') };
  return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words, retryable: true });
}

function failed(complaint: string): QuarryError {
  const lines = complaint.split('\n').filter((each) => each.trim() !== '');
  const last = lines.findLast((each) => /error/i.test(each)) ?? lines.at(-1) ?? '?';
  const message = say('clipSources.programFailed', { words: foreignLine(last).slice(0, 300) });
  return new QuarryError({
    code: 'DOWNLOAD_FAILED',
    message,
    hint: say('clipSources.updateProgram'),
    retryable: !isGone(complaint),
  });
}

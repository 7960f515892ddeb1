import { spawn } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunProgram } from '../../src-main/clips/sources/ytdlp-program.ts';
import { recorded } from './clip-sources-server.ts';

/** What a stand-in of yt-dlp does, by what it is asked for; JavaScript that sees `args`, `target`, `say` and `complain`. */
export const AS_RECORDED = `
  const all = ${JSON.stringify(recorded('ytdlp-search.jsonl').trim().split('\n'))};
  const output = args[args.indexOf('--output') + 1];
  if (args.includes('--output')) {
    const path = output.replaceAll('%%', '%').replace('%(ext)s', 'mp4');
    require('node:fs').writeFileSync(path, Buffer.alloc(3 << 20, 7));
    say(path);
  } else if (target.startsWith('ytsearch10:')) all.forEach(say);
  else if (!target.startsWith('ytsearch')) {
    const found = all.filter((each) => target === 'https://www.youtube.com/watch?v=' + JSON.parse(each).id);
    found.forEach(say);
    if (found.length === 0) complain('ERROR: [youtube] xxx: Video unavailable');
  }
`;

/** A program that takes yt-dlp's arguments, and writes down which. @returns where it is, and where they are */
export async function standIn(folder: string, script: string): Promise<{ program: string; log: string }> {
  const [program, log] = [join(folder, 'yt-dlp'), join(folder, 'args.jsonl')];
  const source = `#!${process.execPath}
    const args = process.argv.slice(2);
    const target = args.at(-1);
    require('node:fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify(args) + '\\n');
    const say = (line) => console.log(line);
    const complain = (line) => { console.error(line); process.exitCode = 1; };
    ${script}
  `;
  await writeFile(program, source);
  await chmod(program, 0o755);
  return { program, log };
}

/** Runs a program of a test, with the two bounds that its tests are about. */
export const runPlainly: RunProgram = async ({ program, args, bounds, signal, onOutput }) => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], signal });
  const ended = Promise.withResolvers<Awaited<ReturnType<RunProgram>>>();
  let [complaint, bytes] = ['', 0];
  const exceed = (exceeded: 'time' | 'output') => {
    child.kill('SIGKILL');
    ended.resolve({ code: null, exceeded, complaint });
  };
  const timer = setTimeout(exceed, bounds.wallSeconds * 1_000, 'time');
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > bounds.outputBytes) exceed('output');
    else onOutput?.(piece);
  });
  child.once('error', () => ended.reject(signal.reason));
  child.once('close', (code) => ended.resolve({ code, exceeded: null, complaint }));
  return await ended.promise.finally(() => clearTimeout(timer));
};

import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { withoutControls } from '../base/foreign-text.ts';
import { followLog, lastLogLines, logPath } from '../diagnostics/log-tail.ts';
import { integer } from './terminal/arguments.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';

interface LogFlags {
  follow?: boolean;
  lines: number;
  level: keyof typeof LEVELS;
}

/** How pino numbers its levels. */
const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };
type Level = keyof typeof LEVELS;
const STYLES: Record<Level, Parameters<typeof styleText>[0]> = {
  trace: 'dim',
  debug: 'dim',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: ['bold', 'red'],
};

/** Lines that are looked through for those of a level, and how far back. */
const MOST_LINES = 200_000;
const MOST_BYTES = 32_000_000;

/** `quarry logs`: what the node wrote down. */
export function registerLogs(program: Command): void {
  program
    .command('logs')
    .description('show the end of the node’s log; it need not be running')
    .option('-f, --follow', 'go on with new lines as they come, until Ctrl+C')
    .option('-n, --lines <n>', 'how many lines', integer(0, MOST_LINES), 50)
    .addOption(
      new Option('--level <level>', 'only lines that are at least so serious')
        .choices(Object.keys(LEVELS))
        .default('trace'),
    )
    .addHelpText('after', '\nWith --json the lines come as they stand in the file, one JSON object each.')
    .action(runCommand(logs));
}

async function logs({ config, output, signal }: CommandContext, { follow, lines, level }: LogFlags): Promise<void> {
  const { dataDir } = config;
  const wanted = (all: string[]) => all.filter((line) => levelOf(line) >= LEVELS[level]);
  const write = (line: string) =>
    output.json ? process.stdout.write(`${withoutControls(line)}\n`) : output.line(logText(line));
  if (!follow) {
    const all = await lastLogLines(dataDir, level === 'trace' ? lines : MOST_LINES, MOST_BYTES);
    const last = lastOf(wanted(all), lines);
    for (const line of last) write(line);
    if (all.length === 0) output.note(`Nothing is in the log yet: ${logPath(dataDir)}`);
    return;
  }
  let first = true;
  for await (const more of followLog(dataDir, signal, { lines: MOST_LINES, maxBytes: MOST_BYTES })) {
    for (const line of first ? lastOf(wanted(more), lines) : wanted(more)) write(line);
    first = false;
  }
}

function lastOf(lines: string[], count: number): string[] {
  return count === 0 ? [] : lines.slice(-count);
}

type Entry = Record<string, unknown>;

/** One line of the log for a person: «14:05:09 warn  the model is not shared · model=qwen». One that is no JSON stays as it is. */
export function logText(line: string): string {
  const entry = entryOf(line);
  if (!entry) return withoutControls(line);
  const { level, time, msg, err, ...rest } = entry;
  const name = nameOf(Number(level));
  const facts = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const failure = (err as { message?: unknown } | undefined)?.message;
  const parts = [String(msg ?? ''), failure === undefined ? '' : String(failure), facts.join(' ')].filter(Boolean);
  const text = withoutControls(parts.join(' · ').replace(/\s+/g, ' '));
  return `${styleText('dim', timeText(time))} ${styleText(STYLES[name], name.padEnd(5))} ${text}`;
}

function timeText(time: unknown): string {
  const at = new Date(typeof time === 'number' ? time : Number.NaN);
  if (Number.isNaN(at.getTime())) return '?';
  const today = new Date().toDateString() === at.toDateString();
  return today ? at.toLocaleTimeString('en-GB') : at.toLocaleString('sv-SE');
}

function levelOf(line: string): number {
  const level = Number(entryOf(line)?.level);
  return Number.isNaN(level) ? LEVELS.info : level;
}

function nameOf(level: number): Level {
  const names = Object.keys(LEVELS) as Level[];
  return names.findLast((name) => LEVELS[name] <= level) ?? 'info';
}

function entryOf(line: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null ? (entry as Entry) : undefined;
  } catch {
    return undefined; // half a line, as a full disk leaves it
  }
}

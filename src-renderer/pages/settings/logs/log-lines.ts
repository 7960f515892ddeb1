/** A line of the log as a person reads it. */
export interface LogLine {
  /** Counts up: a name for the line. */
  id: number;
  level: LogLevel;
  /** Unix milliseconds; undefined where the line has none. */
  at: number | undefined;
  text: string;
  /** What was logged beside the text, as JSON; empty without. */
  details: string;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Lines that are kept; older ones are forgotten. */
export const KEPT_LINES = 1_000;

/** pino's levels, the least of each. */
const LEVEL_STARTS = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
] as const;

/** Reads a line of the log file; one that is not JSON is shown as it is. */
export function parseLine(line: string, id: number): LogLine {
  const { level, time, msg, ...rest } = parseObject(line) ?? { msg: line };
  const number = typeof level === 'number' ? level : 30;
  return {
    id,
    level: LEVEL_STARTS.find(([start]) => number >= start)?.[1] ?? 'debug',
    at: typeof time === 'number' ? time : undefined,
    text: typeof msg === 'string' ? msg : '',
    details: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
  };
}

/** The newest lines, with more at the end. */
export function addLines(lines: readonly LogLine[], more: readonly string[]): LogLine[] {
  const next = (lines.at(-1)?.id ?? 0) + 1;
  return [...lines, ...more.map((line, index) => parseLine(line, next + index))].slice(-KEPT_LINES);
}

/** Those of a level or a more serious one. */
export function fromLevel(lines: readonly LogLine[], least: LogLevel): LogLine[] {
  const from = LOG_LEVELS.indexOf(least);
  return lines.filter(({ level }) => LOG_LEVELS.indexOf(level) >= from);
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined; // it is no JSON: the line is shown as it is
  }
}

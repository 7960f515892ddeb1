import { hostname } from 'node:os';
import type { SettingsView } from '../../src-preload/contract/settings.ts';
import { version } from '../base/version.ts';
import { lastLogLines } from './log-tail.ts';
import { Redactor } from './redactor.ts';

export interface DiagnosticsOptions {
  config: { dataDir: string; nodeName?: string | undefined };
  settings: { list(): Promise<SettingsView>; secrets(): Promise<string[]> };
  /** What else is reported, by the name it gets. One that fails is reported with its error. */
  sections: Record<string, () => Promise<unknown>>;
  now?: () => Date;
}

const LOG_LINES = 2_000;
const LINE_CHARS = 4_000;
/** Enough for that many lines of the longest kind. */
const LOG_BYTES = LOG_LINES * LINE_CHARS;
const MAX_SECTION_CHARS = 400_000;
const MAX_TEXT_BYTES = 5_000_000;

/** Everything that a helper needs to find a fault, as one JSON text of at most 5 MB, without secrets and names. Never throws. */
export async function collectDiagnostics(options: DiagnosticsOptions): Promise<{ fileName: string; text: string }> {
  const { config, now = () => new Date() } = options;
  const at = now().toISOString();
  const redactor = new Redactor({
    secrets: await options.settings.secrets(),
    names: [hostname(), ...(config.nodeName ? [config.nodeName] : [])],
  });
  const { electron, node, v8 } = process.versions;
  const head = redactor.json({
    about: 'Quarry diagnostics: secrets, the user’s name and the computer’s name are removed.',
    at,
    version,
    platform: `${process.platform} ${process.arch}`,
    runtime: { node, v8, electron },
    uptimeSeconds: Math.round(process.uptime()),
    memory: process.memoryUsage(),
    settings: await section(async () => settingsSummary(await options.settings.list())),
    ...(await sectionsOf(options.sections)),
  });
  const log = (await readLog(config)).map((line) => cut(redactor.line(line)));
  return { fileName: `quarry-diagnostics-${at.slice(0, 10)}.json`, text: bundle(head as object, log) };
}

async function readLog({ dataDir }: DiagnosticsOptions['config']): Promise<string[]> {
  try {
    return await lastLogLines(dataDir, LOG_LINES, LOG_BYTES);
  } catch (error) {
    return [`The log cannot be read: ${error instanceof Error ? error.message : error}.`];
  }
}

async function sectionsOf(sections: DiagnosticsOptions['sections']): Promise<Record<string, unknown>> {
  const read = Object.entries(sections).map(async ([name, make]) => [name, await section(make)] as const);
  return Object.fromEntries(await Promise.all(read));
}

async function section(make: () => Promise<unknown>): Promise<unknown> {
  try {
    const value = await make();
    const chars = JSON.stringify(value)?.length ?? 0;
    return chars > MAX_SECTION_CHARS ? { omitted: `${chars} characters are too many.` } : value;
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** What was chosen here: values that are not the default, and who gave them. */
function settingsSummary({ settings, restartNeeded, rejected }: SettingsView): object {
  const set = settings.filter(({ origin }) => origin !== 'default');
  const values = set.map(({ path, value, secret, isSet, origin, waitsForRestart }) => [
    path,
    { value: secret ? (isSet ? 'set' : 'not set') : value, origin, waitsForRestart },
  ]);
  return { restartNeeded, rejected, ...Object.fromEntries(values) };
}

/** The oldest lines give way when it would be too much. */
function bundle(head: object, log: string[]): string {
  const text = JSON.stringify({ ...head, log: [] }, undefined, 1);
  let room = MAX_TEXT_BYTES - Buffer.byteLength(text);
  const kept: string[] = [];
  for (const line of log.toReversed()) {
    room -= Buffer.byteLength(JSON.stringify(line)) + 4; // indent, comma and line break
    if (room < 0) break;
    kept.unshift(line);
  }
  return JSON.stringify({ ...head, log: kept }, undefined, 1);
}

function cut(line: string): string {
  return line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}…` : line;
}

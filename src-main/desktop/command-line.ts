import { parseArgs } from 'node:util';
import type { CommandLine as ElectronCommandLine } from 'electron';
import { LINK_SCHEME, pageOfLink } from './shell/deep-link.ts';

/** Each would let another program read and steer the screens or main. */
const SWITCHES = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'inspect',
  'inspect-brk',
];

/** What the app was started with, or what a second start hands to the first. */
export interface CommandLine {
  /** No window, no tray: a node that serves its screens over HTTP. */
  headless: boolean;
  /** Data folder. */
  dataDir?: string;
  configFile?: string;
  /** The screen that a deep link asks for. */
  page?: string;
}

/** Reads arguments; the switches that Chromium knows stand among them and mean nothing here. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { headless: { type: 'boolean' }, data: { type: 'string' }, config: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  const link = positionals.find((text) => text.startsWith(`${LINK_SCHEME}:`));
  return {
    headless: values.headless === true,
    dataDir: textOf(values.data),
    configFile: textOf(values.config),
    page: link === undefined ? undefined : pageOfLink(link),
  };
}

/** The first switch for debugging that the process was started with. */
export function debuggingSwitch(commandLine: Pick<ElectronCommandLine, 'hasSwitch'>): string | undefined {
  return SWITCHES.find((name) => commandLine.hasSwitch(name));
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

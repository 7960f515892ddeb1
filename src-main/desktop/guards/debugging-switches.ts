import type { CommandLine } from 'electron';

/** Each would let another program read and steer the screens or main. */
const SWITCHES = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'inspect',
  'inspect-brk',
];

/** The first switch for debugging that the process was started with. */
export function debuggingSwitch(commandLine: Pick<CommandLine, 'hasSwitch'>): string | undefined {
  return SWITCHES.find((name) => commandLine.hasSwitch(name));
}

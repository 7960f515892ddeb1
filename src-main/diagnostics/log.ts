import { renameSync, statSync } from 'node:fs';
import { destination, type LevelWithSilent, type Logger, pino } from 'pino';
import { dataPath } from '../base/data-folder.ts';
import { makeFolderNow } from '../base/folder.ts';
import { escapedControls } from '../base/foreign-text.ts';
import { ignoring } from '../base/swallowed.ts';

/** A log file larger than this is set aside as `quarry.log.1` before more is written. */
const ROTATE_BYTES = 10 * 1024 * 1024;
const ROTATE_CHECK_MS = 60_000;

/** The node's log and how to close it. */
export interface NodeLog {
  log: Logger;
  close(): void;
}

/** JSON lines in `<data>/quarry.log`, written synchronously so that a crash loses none; two files of bounded size. */
export function openNodeLog(config: { dataDir: string; logLevel: LevelWithSilent }): NodeLog {
  const path = dataPath(config.dataDir, 'log');
  makeFolderNow(config.dataDir);
  rotate(path);
  const file = destination({ dest: path, sync: true, mode: 0o600 });
  file.on('error', ignoring('a full disk costs log lines, not the node'));
  // It is read on terminals too, and much of it is what others sent.
  const safe = { write: (line: string) => void file.write(escapedControls(line)) };
  const timer = setInterval(() => rotate(path) && file.reopen(), ROTATE_CHECK_MS);
  timer.unref();
  return {
    log: pino(
      { level: config.logLevel, base: undefined, redact: ['seed', 'secret', 'apiToken', 'metricsToken', 'apiKey'] },
      safe,
    ),
    close: () => {
      clearInterval(timer);
      file.end();
    },
  };
}

/** @returns whether the file was set aside; false too when it could not be: then it goes on growing */
function rotate(path: string): boolean {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size < ROTATE_BYTES) return false;
    renameSync(path, `${path}.1`);
    return true;
  } catch {
    return false; // a log that cannot be set aside is better than none
  }
}

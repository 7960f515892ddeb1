import { app, dialog } from 'electron';
import { QuarryError } from '../../../src-preload/contract/errors.ts';

/** Ends the app over an error that nobody foresaw: a sentence for the person, the rest for whoever reads the terminal. */
export function endOver(error: unknown): void {
  const { message, hint } = QuarryError.from(error);
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  const advice = hint ?? 'Start it again; if that does not help, the log in the data folder says more.';
  dialog.showErrorBox('Quarry had to end', `${message}\n\n${advice}`);
  app.exit(1);
}

import { app, dialog } from 'electron';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { withoutControls } from '../../base/foreign-text.ts';
import { errorWords, textsFor } from './texts.ts';

/** Ends the app over an error that nobody foresaw: a sentence for the person, the rest for whoever reads the terminal. */
export function endOver(error: unknown): void {
  const found = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${withoutControls(found)}\n`);
  const texts = textsFor('system'); // what the settings say may not be known, or be what is wrong
  const { message, hint = texts.startAgain } = errorWords(QuarryError.from(error), texts);
  dialog.showErrorBox(texts.hadToEnd, `${message}\n\n${hint}`);
  app.exit(1);
}

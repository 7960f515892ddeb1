import { type BrowserWindow, dialog } from 'electron';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { textsFor } from './texts.ts';

/** Says what went wrong and what to do, and asks how to go on. Closing it quits. */
export async function askAfterFailure(
  { message, hint }: QuarryError,
  texts: ReturnType<typeof textsFor>,
  window: BrowserWindow | undefined,
): Promise<'retry' | 'quit'> {
  const options = {
    type: 'error' as const,
    title: 'Quarry',
    message: texts.cannotStart,
    detail: [message, hint].filter(Boolean).join('\n\n'),
    buttons: [texts.retry, texts.quit],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  };
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
  return response === 0 ? 'retry' : 'quit';
}

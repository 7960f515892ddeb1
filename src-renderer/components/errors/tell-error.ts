import { notifications } from '@mantine/notifications';
import { sentenceOf } from '../../api/errors.ts';

/** Long enough to read two sentences. */
const SHOWN_MS = 15_000;

/** Says in a corner of the window what went wrong: for actions that have no place of their own for it. */
export function tellError(error: unknown, title?: string): void {
  notifications.show({ color: 'red', title, message: sentenceOf(error), autoClose: SHOWN_MS });
}

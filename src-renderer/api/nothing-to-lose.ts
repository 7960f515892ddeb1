import { hasUnsaved } from './unsaved.ts';

/** Nobody who types stops for longer within a word. */
const PAUSE_MS = 1_500;
/** A change is on its way to main, or an answer is coming. */
const BUSY = '[aria-busy=true], [data-loading=true]';

let typedAt = Number.NEGATIVE_INFINITY;

addEventListener('input', () => (typedAt = performance.now()), { capture: true });

/** Whether loading the page again would take nobody's text away, and nothing that is under way. */
export function isNothingToLose(): boolean {
  if (hasUnsaved() || document.querySelector(BUSY) || performance.now() - typedAt < PAUSE_MS) return false;
  const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
  return !fields.some((field) => isText(field) && (field === document.activeElement || isFilledIn(field)));
}

/** A field that a reload empties; one that is marked as kept is as it was. */
function isText(field: HTMLInputElement): boolean {
  return !('kept' in field.dataset) && !['checkbox', 'radio', 'range', 'file', 'button'].includes(field.type);
}

/** What a dialog asks for is nowhere else. */
function isFilledIn(field: HTMLInputElement): boolean {
  return field.value !== '' && field.closest('[role=dialog]') !== null;
}

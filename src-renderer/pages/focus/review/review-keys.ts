/** What keys do in a review. */
export interface ReviewKeys {
  toggle: () => void;
  /** By so many milliseconds. */
  step: (ms: number) => void;
  /** To where the next chapter begins, or the one before. */
  chapter: (way: 'next' | 'back') => void;
  markIn: () => void;
  markOut: () => void;
  cut: () => void;
  undo: () => void;
  redo: () => void;
}

const SECOND_MS = 1_000;
/** A video says nothing of its frames; recordings have 30 a second. */
const FRAME_MS = 1_000 / 30;

const SWITCHES = 'input[type="checkbox"], input[type="radio"]';

/**
 * Answers the keys of a window, unless something else wants them: a field what is typed, a button the space bar, a choice the arrows, too.
 * @param dialog that the review is in; a key counts there, and where nothing has the focus, as after a button that had it can be pressed no more
 */
export function reviewKeys(dialog: () => Element | null | undefined, keys: ReviewKeys): (event: KeyboardEvent) => void {
  return (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event;
    if (altKey || event.defaultPrevented || !(target instanceof HTMLElement) || isWantedBy(target, key)) return;
    if (target !== document.body && !dialog()?.contains(target)) return;
    const isCommand = ctrlKey || metaKey;
    const wanted = isCommand ? commandOf(key, shiftKey, keys) : actionOf(key, shiftKey, keys);
    if (!wanted) return;
    event.preventDefault();
    wanted();
  };
}

function isWantedBy(target: HTMLElement, key: string): boolean {
  if (target.closest(SWITCHES)) return key === ' ' || key.startsWith('Arrow');
  if (target.closest('input, textarea, select')) return true;
  return key === ' ' && target.closest('button, a') !== null;
}

function commandOf(key: string, isShifted: boolean, { undo, redo }: ReviewKeys): (() => void) | undefined {
  if (key.toLowerCase() === 'z') return isShifted ? redo : undo;
  return key.toLowerCase() === 'y' ? redo : undefined;
}

function actionOf(key: string, isShifted: boolean, keys: ReviewKeys): (() => void) | undefined {
  const stepMs = isShifted ? FRAME_MS : SECOND_MS;
  switch (key.toLowerCase()) {
    case ' ':
      return keys.toggle;
    case 'i':
      return keys.markIn;
    case 'o':
      return keys.markOut;
    case 'x':
      return keys.cut;
    case 'n':
      return () => keys.chapter('next');
    case 'p':
      return () => keys.chapter('back');
    case 'arrowleft':
      return () => keys.step(-stepMs);
    case 'arrowright':
      return () => keys.step(stepMs);
    default:
      return undefined;
  }
}

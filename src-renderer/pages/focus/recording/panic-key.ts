/** As a person reads it. */
export const PANIC_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ ⇧ ⌫' : 'Ctrl ⇧ ⌫';

/** What matters of a `KeyboardEvent`. */
interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** Whether that is the key which has the last minute forgotten and pauses: Ctrl or ⌘, Shift and Backspace. */
export function isPanicKey({ key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): boolean {
  return key === 'Backspace' && shiftKey && !altKey && ctrlKey !== metaKey;
}

/** Calls back when it is pressed anywhere in this page, whatever has the focus. @param target the window */
export function onPanicKey(target: EventTarget, panic: () => void, signal: AbortSignal): void {
  const heed = (event: Event) => {
    if (!isPanicKey(event as Event & Pressed)) return;
    event.preventDefault();
    event.stopPropagation();
    panic();
  };
  target.addEventListener('keydown', heed, { capture: true, signal });
}

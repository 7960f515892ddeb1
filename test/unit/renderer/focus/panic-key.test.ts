import { expect, it, vi } from 'vitest';
import { onPanicKey } from '../../../../src-renderer/pages/focus/recording/panic-key.ts';

const NONE = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

it('the panic key is Ctrl or ⌘, Shift and Backspace, and nothing else hears it', () => {
  const target = new EventTarget();
  const ending = new AbortController();
  const panic = vi.fn();
  const others = vi.fn();
  onPanicKey(target, panic, ending.signal);
  const press = (keys: object) => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key: 'Backspace', ...NONE, ...keys });
    event.stopPropagation = others;
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  for (const keys of [{}, { ctrlKey: true }, { shiftKey: true }, { ctrlKey: true, shiftKey: true, altKey: true }]) {
    expect(press(keys)).toBe(false);
  }
  expect(press({ ctrlKey: true, shiftKey: true, key: 'Delete' })).toBe(false);
  expect(press({ ctrlKey: true, metaKey: true, shiftKey: true })).toBe(false);
  expect(panic).not.toHaveBeenCalled();
  expect(press({ ctrlKey: true, shiftKey: true })).toBe(true);
  expect(press({ metaKey: true, shiftKey: true })).toBe(true);
  expect([panic.mock.calls.length, others.mock.calls.length]).toEqual([2, 2]);
  ending.abort();
  expect(press({ ctrlKey: true, shiftKey: true })).toBe(false);
});

/** A page with a field that has the focus. A key goes down to it, and up again unless something stops it: Node's own targets have no parents. */
class PageWithField {
  readonly #down: ((event: Event) => void)[] = [];
  readonly #up: ((event: Event) => void)[] = [];
  readonly #field: (event: Event) => void;

  constructor(field: (event: Event) => void) {
    this.#field = field;
  }

  addEventListener(_: string, listener: (event: Event) => void, { capture }: { capture?: boolean }): void {
    (capture ? this.#down : this.#up).push(listener);
  }

  press(keys: object): void {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { ...NONE, ...keys });
    for (const heed of [...this.#down, this.#field, ...this.#up]) {
      if (!event.cancelBubble) heed(event); // true once its propagation is stopped
    }
  }
}

it('the panic key is heard before what has the focus, which may keep keys to itself', () => {
  const heard: string[] = [];
  const page = new PageWithField((event) => {
    heard.push('field');
    event.stopPropagation();
  });
  onPanicKey(page as unknown as EventTarget, () => void heard.push('panic'), new AbortController().signal);
  page.press({ key: 'x' });
  page.press({ key: 'Backspace', ctrlKey: true, shiftKey: true });
  expect(heard).toEqual(['field', 'panic']);
});

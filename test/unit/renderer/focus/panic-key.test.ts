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
  expect(panic).not.toHaveBeenCalled();
  expect(press({ ctrlKey: true, shiftKey: true })).toBe(true);
  expect(press({ metaKey: true, shiftKey: true })).toBe(true);
  expect([panic.mock.calls.length, others.mock.calls.length]).toEqual([2, 2]);
  ending.abort();
  expect(press({ ctrlKey: true, shiftKey: true })).toBe(false);
});

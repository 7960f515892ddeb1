import { type KeyboardEvent, useState } from 'react';
import { useUnsaved } from '../../api/unsaved.ts';
import type { SettingHandle } from './useSettingField.ts';

/** What a person is typing, until it is saved. */
interface Draft<T> {
  /** Undefined while nothing was typed: the field shows what is set. */
  typed: T | undefined;
  type(value: T): void;
  /** Saves what was typed; for when the field is left. */
  commit(): void;
  /** Enter saves, Escape takes back. */
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * Keeps what is typed apart from what is set: it stays in the field while main refuses it.
 *
 * @param toValue the value to save; undefined when there is nothing to save, or nothing that may be saved
 */
export function useDraft<T>(
  { save, forget }: Pick<SettingHandle, 'save' | 'forget'>,
  toValue: (typed: T) => unknown,
): Draft<T> {
  const [typed, setTyped] = useState<T>();
  useUnsaved(typed !== undefined);
  const commit = () => {
    if (typed === undefined) return;
    const value = toValue(typed);
    if (value !== undefined) save(value, () => setTyped(undefined));
  };
  const takeBack = () => {
    setTyped(undefined);
    forget();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) commit();
    if (event.key === 'Escape') takeBack();
  };
  return { typed, type: setTyped, commit, onKeyDown };
}

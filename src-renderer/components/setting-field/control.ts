import type { SettingHandle } from './useSettingField.ts';

/** What every kind of field is told. */
export interface ControlProps {
  field: SettingHandle;
  label: string;
  /** A line or two below the field. */
  help?: string | undefined;
  /** The label is for those who hear the page; others see it elsewhere, in a table's row perhaps. */
  hideLabel?: boolean | undefined;
}

/**
 * Label, hint, error and state, as Mantine's inputs take them; an error stands where the hint was.
 *
 * @param wrong what the page itself finds wrong with what is typed, before main is asked
 */
export function inputProps({ field, label, help, hideLabel }: ControlProps, wrong?: string) {
  const error = wrong ?? field.error;
  const named = hideLabel ? { 'aria-label': label } : { label, description: error ? undefined : help };
  return { ...named, error, disabled: field.held };
}

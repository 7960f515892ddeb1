import type { SettingHandle } from './useSettingField.ts';

/** What every kind of field is told. */
export interface ControlProps {
  field: SettingHandle;
  label: string;
  /** A line or two below the label. */
  help?: string | undefined;
  /** The label is for those who hear the page; others see it elsewhere, in a table's row perhaps. */
  hideLabel?: boolean | undefined;
}

/** Label, help, error and state, as Mantine's inputs take them. */
export function inputProps({ field, label, help, hideLabel }: ControlProps) {
  const named = hideLabel ? { 'aria-label': label } : { label, description: help };
  return { ...named, error: field.error, disabled: field.held };
}

import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { type ControlProps, inputProps } from './control.ts';
import { numberText, plainNumber, shown, stored } from './number-text.ts';
import { useDraft } from './useDraft.ts';

interface SettingNumberProps extends ControlProps {
  /** How many of the setting's units one shown unit is: 1,000,000 shows bytes as MB. Default 1. */
  scale?: number | undefined;
  /** Written behind the number: «MB/s». */
  unit?: string | undefined;
  /** What no number means, where there is no default to show. Default «automatic». */
  empty?: string | undefined;
}

/** A number, perhaps in a larger unit than it is kept in; empty is the default. Saved when the field is left, or with Enter. */
export function SettingNumber({ scale = 1, unit, empty, ...props }: SettingNumberProps) {
  const { t, i18n } = useTranslation('settings');
  const format = useFormat();
  const { setting } = props.field;
  const { min, max, value, defaultValue } = setting;
  const kind = setting.whole && scale === 1 ? 'whole' : 'any'; // 2.5 MB are a whole number of bytes
  const toValue = (text: string) => stored(plainNumber(text, unit), scale, setting);
  const { typed, type, commit, onKeyDown } = useDraft<string>(props.field, toValue);
  const common = inputProps(props);
  const written = (bound: number) => [format.number(shown(bound, scale), 3), unit].filter(Boolean).join(' ');
  const outOfRange = typed !== undefined && toValue(typed) === undefined;
  const range =
    min === undefined || max === undefined
      ? undefined
      : t(`number.range.${kind}`, { least: written(min), most: written(max) });
  return (
    <TextInput
      {...common}
      error={outOfRange ? (range ?? t(`number.wanted.${kind}`)) : common.error}
      inputMode="decimal"
      value={typed ?? numberText(value, scale, unit, i18n.language)}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
      placeholder={typeof defaultValue === 'number' ? written(defaultValue) : (empty ?? t('number.automatic'))}
    />
  );
}

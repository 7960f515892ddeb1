import { Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { knownText } from '../../i18n/known-text.ts';
import { type ControlProps, inputProps } from './control.ts';
import { numberText, plainNumber, shown, stored } from './number-text.ts';
import type { ControlShape } from './shapes.ts';
import { useDraft } from './useDraft.ts';

/** A number, perhaps in a larger unit than it is kept in; empty is the default. Saved when the field is left, or with Enter. */
export function SettingNumber({
  scale = 1,
  unit: named,
  empty,
  none,
  nothing = 'automatic',
  ...props
}: ControlProps & Omit<ControlShape, 'segmented'>) {
  const { t, i18n } = useTranslation('settings');
  const format = useFormat();
  const { setting } = props.field;
  const { min, max } = setting;
  const [value, defaultValue] = [setting.value, setting.defaultValue].map((one) => (one === none ? undefined : one));
  const unit = named && knownText(t('unit', { returnObjects: true }) as Record<string, string>, named);
  const kind = setting.whole && scale === 1 ? 'whole' : 'any'; // 2.5 MB are a whole number of bytes
  const toValue = (text: string) => stored(plainNumber(text, unit), scale, setting);
  const { typed, type, commit, onKeyDown } = useDraft<string>(props.field, toValue);
  // «/ kWh» is no unit of its own: it stands behind the field.
  const behind = unit?.startsWith('/') ? undefined : unit;
  const written = (bound: number) => [format.number(shown(bound, scale), 3), behind].filter(Boolean).join(' ');
  const range =
    min === undefined || max === undefined
      ? t(`number.wanted.${kind}`)
      : t(`number.range.${kind}`, { least: written(min), most: written(max) });
  return (
    <TextInput
      {...inputProps(props, typed !== undefined && toValue(typed) === undefined ? range : undefined)}
      inputMode="decimal"
      value={typed ?? numberText(value, scale, i18n.language)}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
      placeholder={
        typeof defaultValue === 'number'
          ? numberText(defaultValue, scale, i18n.language)
          : (empty ?? t(`number.${nothing}`))
      }
      styles={{ input: { maxWidth: 200 }, wrapper: { maxWidth: 200 } }}
      rightSection={
        unit && (
          <Text className="num" fz={12} c="var(--q-ink-3)">
            {unit}
          </Text>
        )
      }
      rightSectionWidth={unit ? 16 + 8 * unit.length : undefined}
      rightSectionPointerEvents="none"
    />
  );
}

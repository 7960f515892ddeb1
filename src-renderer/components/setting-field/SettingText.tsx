import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type ControlProps, inputProps } from './control.ts';
import { useDraft } from './useDraft.ts';

/** A line of text; empty is the default. Saved when the field is left, or with Enter. */
export function SettingText({ empty, ...props }: ControlProps & { empty?: string | undefined }) {
  const { t } = useTranslation('settings');
  const { value, defaultValue, shownDefault } = props.field.setting;
  const { typed, type, commit, onKeyDown } = useDraft<string>(props.field, (text) => text.trim() || null);
  return (
    <TextInput
      {...inputProps(props)}
      value={typed ?? String(value ?? '')}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
      placeholder={
        empty ?? (typeof defaultValue === 'string' ? defaultValue : t(shownDefault ? 'text.default' : 'text.none'))
      }
    />
  );
}

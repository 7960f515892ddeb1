import { PasswordInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type ControlProps, inputProps } from './control.ts';
import { useDraft } from './useDraft.ts';

/** A text that can be set and never seen again. Saved when the field is left, or with Enter. */
export function SettingSecret(props: ControlProps) {
  const { t } = useTranslation('settings');
  const { typed, type, commit, onKeyDown } = useDraft<string>(props.field, (text) => text || undefined);
  return (
    <PasswordInput
      {...inputProps(props)}
      value={typed ?? ''}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
      autoComplete="off"
      placeholder={t(props.field.setting.isSet ? 'secret.isSet' : 'secret.isNotSet')}
    />
  );
}

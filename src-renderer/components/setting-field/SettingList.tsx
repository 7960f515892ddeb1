import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type ControlProps, inputProps } from './control.ts';
import { useDraft } from './useDraft.ts';

/** A list of texts, one on each line. Saved when the field is left. */
export function SettingList(props: ControlProps) {
  const { t } = useTranslation('settings');
  const { value } = props.field.setting;
  const { typed, type, commit, onKeyDown } = useDraft<string>(props.field, linesOf);
  return (
    <Textarea
      {...inputProps(props)}
      autosize
      minRows={1}
      maxRows={8}
      value={typed ?? (Array.isArray(value) ? value.join('\n') : '')}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
      placeholder={t('list.placeholder')}
    />
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

import { PasswordInput, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Setting } from '../../../src-preload/contract/settings.ts';
import { worded } from '../../i18n/worded.ts';
import { type ControlProps, inputProps } from './control.ts';
import { SettingChoice } from './SettingChoice.tsx';
import { SettingMarks } from './SettingMarks.tsx';
import { SettingNumber } from './SettingNumber.tsx';
import { SwitchRow } from './SwitchRow.tsx';
import { type ControlShape, shapeOf } from './shapes.ts';
import { useDraft } from './useDraft.ts';
import { useSettingField } from './useSettingField.ts';

type SettingControlProps = ControlShape & Omit<ControlProps, 'field'> & { path: string };

/** The field of any setting, with what there is to know about it. */
export function SettingControl({ path, ...shape }: SettingControlProps) {
  const field = useSettingField(path);
  if (!field) return <Skeleton h={56} />;
  return (
    <div>
      <Control field={field} {...shapeOf(path)} {...shape} />
      <SettingMarks field={field} label={shape.label} />
    </div>
  );
}

function Control({ scale, unit, empty, nothing, segmented, ...props }: ControlProps & ControlShape) {
  switch (kindOf(props.field.setting)) {
    case 'secret':
      return <SettingSecret {...props} />;
    case 'choice':
      return <SettingChoice {...props} segmented={segmented} />;
    case 'switch':
      return <SettingSwitch {...props} />;
    case 'number':
      return <SettingNumber {...props} scale={scale} unit={unit} empty={empty} nothing={nothing} />;
    case 'list':
      return <SettingList {...props} />;
    case 'string':
      return <SettingText {...props} empty={empty} />;
  }
}

function kindOf({ secret, choices, type }: Setting): Setting['type'] | 'secret' | 'choice' {
  if (secret) return 'secret';
  return choices ? 'choice' : type;
}

/** A line of text; empty is the default. Saved when the field is left, or with Enter. */
function SettingText({ empty, ...props }: ControlProps & { empty?: string | undefined }) {
  const { t } = useTranslation('settings');
  const { setting } = props.field;
  const { value, defaultValue } = setting;
  const { typed, type, commit, onKeyDown } = useDraft<string>(props.field, (text) => text.trim() || null);
  return (
    <TextInput
      {...inputProps(props)}
      value={typed ?? String(value ?? '')}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
      placeholder={
        empty ?? (typeof defaultValue === 'string' ? defaultValue : (worded(setting, 'shownDefault') ?? t('text.none')))
      }
    />
  );
}

/** A text that can be set and never seen again. Saved when the field is left, or with Enter. */
function SettingSecret(props: ControlProps) {
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

/** On or off; saved at once. */
function SettingSwitch(props: ControlProps) {
  const { setting, save } = props.field;
  return (
    <SwitchRow
      {...inputProps(props)}
      checked={setting.value === true}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}

/** A list of texts, one on each line. Saved when the field is left. */
function SettingList(props: ControlProps) {
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

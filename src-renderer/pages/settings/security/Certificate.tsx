import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { SettingMarks } from '../../../components/setting-field/SettingMarks.tsx';
import { useSettingField } from '../../../components/setting-field/useSettingField.ts';
import { useSetSettings } from '../../../state/settings.ts';
import { FormSection } from '../fields/Fields.tsx';
import { fieldError } from '../fields/field-error.ts';
import classes from '../settings.module.css';

/** Certificate and key for HTTPS. They are saved together: main takes both or none. */
export function Certificate() {
  const { t } = useTranslation('settings');
  const certificate = useSettingField('tlsCert');
  const key = useSettingField('tlsKey');
  const set = useSetSettings();
  const [typed, setTyped] = useState<{ tlsCert?: string; tlsKey?: string }>({});
  if (!certificate || !key) return null;
  const save = (changes: Record<string, unknown>) => set.mutate({ changes }, { onSuccess: () => setTyped({}) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(Object.fromEntries(Object.entries(typed).map(([path, text]) => [path, text.trim() || null])));
  };
  const held = certificate.held || key.held;
  const errors = { tlsCert: fieldError(set.error, 'tlsCert'), tlsKey: fieldError(set.error, 'tlsKey') };
  const isSet = certificate.setting.isSet || key.setting.isSet;
  return (
    <FormSection title={t('certificate.title')} help={t('certificate.help')}>
      <form onSubmit={submit}>
        {([certificate, key] as const).map(({ setting: { path, value } }) => {
          const name = path as 'tlsCert' | 'tlsKey';
          return (
            <TextInput
              key={name}
              mb="sm"
              label={t(`certificate.${name}`)}
              placeholder={t(`certificate.${name}Example`)}
              value={typed[name] ?? String(value ?? '')}
              onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
              error={errors[name]}
              disabled={held}
            />
          );
        })}
        <div className={classes.buttons}>
          <Button
            type="submit"
            variant="default"
            loading={set.isPending}
            disabled={held || Object.keys(typed).length === 0}
          >
            {t('certificate.save')}
          </Button>
          {isSet && (
            <Button variant="subtle" color="red" disabled={held} onClick={() => save({ tlsCert: null, tlsKey: null })}>
              {t('certificate.remove')}
            </Button>
          )}
        </div>
      </form>
      <SettingMarks field={certificate} label={t('certificate.title')} resettable={false} />
      {!errors.tlsCert && !errors.tlsKey && <ErrorNote error={set.error} />}
    </FormSection>
  );
}

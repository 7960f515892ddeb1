import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useSetSettings, useSetting } from '../../../state/settings.ts';
import { Fields, FormSection } from '../fields/Fields.tsx';
import { fieldError } from '../fields/field-error.ts';
import classes from '../settings.module.css';

/** An OpenAI-compatible server instead of the engine. Its address and the switch to it are set together: one needs the other. */
export function RemoteServer() {
  const { t } = useTranslation('settings');
  const remote = useSetting<string>('backend') === 'remote';
  const address = useSetting<string>('remote.baseUrl');
  const [typed, setTyped] = useState<string>();
  const set = useSetSettings();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const changes = { backend: 'remote', 'remote.baseUrl': typed ?? address ?? null };
    set.mutate({ changes }, { onSuccess: () => setTyped(undefined) });
  };
  const wrong = fieldError(set.error, 'remote.baseUrl');
  return (
    <FormSection title={t('remote.title')} help={t('remote.help')}>
      <form onSubmit={submit}>
        <TextInput
          type="url"
          required
          withAsterisk={false}
          label={t('remote.address')}
          description={wrong ? undefined : t('remote.addressHelp')}
          placeholder="http://127.0.0.1:8000/v1"
          value={typed ?? address ?? ''}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={wrong}
        />
        <div className={classes.buttons} style={{ marginTop: 12 }}>
          <Button type="submit" variant="default" loading={set.isPending} disabled={remote && typed === undefined}>
            {t(remote ? 'remote.save' : 'remote.use')}
          </Button>
          {remote && (
            <Button variant="subtle" loading={set.isPending} onClick={() => set.mutate({ changes: { backend: null } })}>
              {t('remote.useEngine')}
            </Button>
          )}
        </div>
      </form>
      {!wrong && <ErrorNote error={set.error} />}
      <Fields of="remote" />
    </FormSection>
  );
}

import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import { Note } from '../../../components/Note.tsx';
import classes from '../wallet.module.css';
import { MOST_TEXT_CHARS } from './limits.ts';

/** Whether a text was signed by the key of an address. */
export function VerifyText({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['wallet', 'common']);
  const [signed, setSigned] = useState({ address: '', signature: '', text: '' });
  const [valid, setValid] = useState<boolean>();
  const { pending, error, go } = useSecretly(async () =>
    client.wallet.verify({ ...signed, address: signed.address.trim(), signature: signed.signature.trim() }),
  );
  const set = (some: Partial<typeof signed>) => {
    setSigned({ ...signed, ...some });
    setValid(undefined);
  };
  const verify = async () => setValid((await go(undefined))?.valid);
  return (
    <Modal opened onClose={onClose} title={t('wallet:verify.title')} size={480}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void verify();
        }}
      >
        <Stack className={classes.mono}>
          <TextInput
            label={t('wallet:verify.address')}
            value={signed.address}
            onChange={(event) => set({ address: event.currentTarget.value })}
            error={errorAt(error, 'address')}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <Textarea
            label={t('wallet:verify.signature')}
            value={signed.signature}
            onChange={(event) => set({ signature: event.currentTarget.value })}
            error={errorAt(error, 'signature')}
            maxLength={200}
            spellCheck={false}
            autosize
            minRows={2}
          />
          <Textarea
            label={t('wallet:verify.text')}
            description={t('wallet:verify.hint')}
            value={signed.text}
            onChange={(event) => set({ text: event.currentTarget.value })}
            error={errorAt(error, 'text')}
            maxLength={MOST_TEXT_CHARS}
            autosize
            minRows={3}
            maxRows={10}
          />
          {valid !== undefined && (
            <Note state={valid ? 'good' : 'error'} icon={valid ? IconCheck : IconX} role="status">
              {t(valid ? 'wallet:verify.valid' : 'wallet:verify.invalid')}
            </Note>
          )}
          <ErrorNote error={errorBeside(error, 'address', 'signature', 'text')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.close')}
            </Button>
            <Button
              type="submit"
              loading={pending}
              disabled={signed.address.trim() === '' || signed.signature.trim() === ''}
            >
              {t('wallet:verify.go')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

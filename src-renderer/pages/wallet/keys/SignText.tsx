import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { CopyButton } from '../../../components/copy/CopyButton.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import classes from '../wallet.module.css';
import type { NamedKey } from '../wallet-list.ts';
import { KeyPassword } from './KeyPassword.tsx';
import { MOST_TEXT_CHARS } from './limits.ts';

/** Signs what people read, as a proof that a key is theirs. */
export function SignText({ of: key, onClose }: { of: NamedKey; onClose: () => void }) {
  const { t } = useTranslation(['wallet', 'common']);
  const { wallet, hotkey, sealing } = key;
  const [text, setText] = useState('');
  const [password, setPassword] = useState('');
  const [signature, setSignature] = useState<string>();
  const isSealed = sealing !== 'plain';
  const { pending, error, go } = useSecretly(async () =>
    client.wallet.sign({ wallet, hotkey, text, password: isSealed ? password : null }),
  );
  const sign = async () => {
    const signed = await go(undefined);
    if (!signed) return;
    setPassword('');
    setSignature(signed.signature);
  };
  const isReady = text.trim() !== '' && (!isSealed || password !== '');
  return (
    <Modal opened onClose={onClose} title={t('wallet:sign.title', { key: hotkey ?? wallet })} size={480}>
      <form
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !pending) void sign();
        }}
      >
        <Stack>
          <Textarea
            label={t('wallet:sign.text')}
            description={t('wallet:sign.hint')}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setSignature(undefined);
            }}
            error={errorAt(error, 'text')}
            maxLength={MOST_TEXT_CHARS}
            autosize
            minRows={3}
            maxRows={10}
            data-autofocus
          />
          {isSealed && signature === undefined && (
            <KeyPassword
              label={t('wallet:password.of', { key: hotkey ?? wallet })}
              value={password}
              onChange={setPassword}
              error={error}
              opening={pending}
            />
          )}
          {signature !== undefined && (
            <div role="status" className={classes.mono}>
              <Textarea
                label={t('wallet:sign.signature')}
                description={t('wallet:sign.give')}
                value={signature}
                readOnly
                autosize
                minRows={2}
              />
            </div>
          )}
          <ErrorNote error={errorBeside(error, 'text', 'password')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t(signature === undefined ? 'common:action.cancel' : 'common:action.close')}
            </Button>
            {signature === undefined ? (
              <Button type="submit" loading={pending} disabled={!isReady}>
                {t('wallet:sign.go')}
              </Button>
            ) : (
              <CopyButton text={signature} />
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

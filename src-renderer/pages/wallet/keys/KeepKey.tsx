import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyDraft } from '../../../../src-preload/contract/wallet.ts';
import { client } from '../../../api/client.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import type { WalletList } from '../wallet-list.ts';
import type { Kept } from './NewKey.tsx';
import { NewPassword } from './NewPassword.tsx';

const MOST_NAME_CHARS = 64;

interface KeepKeyProps {
  draft: KeyDraft;
  /** The words that were asked for. */
  told: string[];
  hotkeyOf: string | undefined;
  list: WalletList;
  onKept: (where: Kept) => void;
  onClose: () => void;
}

/** What a key is called, and its password; then it is written. */
export function KeepKey({ draft, told, hotkeyOf, list, onKept, onClose }: KeepKeyProps) {
  const { t } = useTranslation(['wallet', 'common']);
  const [name, setName] = useState(() => freeName(list, hotkeyOf));
  const [wantsPassword, setWantsPassword] = useState(hotkeyOf === undefined);
  const [password, setPassword] = useState<string>();
  const where = hotkeyOf === undefined ? { wallet: name.trim() } : { wallet: hotkeyOf, hotkey: name.trim() };
  const { pending, error, go, reset } = useSecretly(async (secret: string | null) =>
    client.wallet.keep({ ...where, id: draft.id, told, password: secret }),
  );
  const isReady = name.trim() !== '' && (!wantsPassword || password !== undefined);
  const keep = async () => {
    const key = await go(wantsPassword ? (password ?? null) : null);
    if (key) onKept({ ...where, address: key.address });
  };
  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !pending) void keep();
      }}
    >
      <Stack>
        {draft.phrase === undefined && (
          <div>
            <Text size="sm" fw={550}>
              {t('wallet:keep.found')}
            </Text>
            <Address address={draft.address} whole copy={false} />
          </div>
        )}
        <TextInput
          label={t(hotkeyOf === undefined ? 'wallet:keep.wallet' : 'wallet:keep.hotkey')}
          description={t('wallet:keep.nameHint')}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            reset();
          }}
          error={errorAt(error, 'wallet', 'hotkey')}
          maxLength={MOST_NAME_CHARS}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        {hotkeyOf !== undefined && (
          <Switch
            label={t('wallet:keep.encrypt')}
            description={t('wallet:keep.encryptHint')}
            checked={wantsPassword}
            onChange={(event) => setWantsPassword(event.currentTarget.checked)}
          />
        )}
        {wantsPassword && (
          <NewPassword
            onChange={setPassword}
            error={errorAt(error, 'password')}
            {...(hotkeyOf === undefined && { description: t('wallet:keep.passwordHint') })}
          />
        )}
        {pending && (
          <Text size="sm" c="var(--q-ink-2)" role="status">
            {t('wallet:password.writing')}
          </Text>
        )}
        <ErrorNote error={errorBeside(error, 'wallet', 'hotkey', 'password')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={pending}>
            {t('common:action.cancel')}
          </Button>
          <Button type="submit" loading={pending} disabled={!isReady}>
            {t(hotkeyOf === undefined ? 'wallet:keep.doWallet' : 'wallet:keep.doHotkey')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What Bittensor's programs look for first, where that is not taken yet. */
function freeName({ wallets }: WalletList, hotkeyOf: string | undefined): string {
  if (hotkeyOf === undefined) return wallets.some(({ name }) => name === 'main') ? '' : 'main';
  const hotkeys = wallets.find(({ name }) => name === hotkeyOf)?.hotkeys ?? [];
  return hotkeys.some(({ name }) => name === 'default') ? '' : 'default';
}

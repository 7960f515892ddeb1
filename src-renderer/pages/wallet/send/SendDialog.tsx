import { Autocomplete, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SS58_LOOKS } from '../../../../src-preload/contract/address-looks.ts';
import type { AccountView, ChainDraft } from '../../../../src-preload/contract/chain.ts';
import { client } from '../../../api/client.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { CallDialog } from '../../../components/chain/CallDialog.tsx';
import { TaoInput } from '../../../components/chain/TaoInput.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import { useFormat } from '../../../i18n/format.ts';
import { keysOf, type WalletList } from '../wallet-list.ts';

interface SendDialogProps {
  list: WalletList;
  /** The wallet that pays. */
  wallet: string;
  account: AccountView | undefined;
  onClose: () => void;
}

/** Asks whom to send to and how much, has it checked, and sends it. */
export function SendDialog({ list, wallet, account, onClose }: SendDialogProps) {
  const [draft, setDraft] = useState<ChainDraft>();
  const [to, setTo] = useState('');
  const [amount, setAmount] = useState('');
  if (draft) {
    return <CallDialog action={draft.action} draft={draft} onBack={() => setDraft(undefined)} onClose={onClose} />;
  }
  return <SendForm {...{ list, wallet, account, to, setTo, amount, setAmount, onDraft: setDraft, onClose }} />;
}

interface SendFormProps extends SendDialogProps {
  to: string;
  setTo: (to: string) => void;
  amount: string;
  setAmount: (amount: string) => void;
  onDraft: (draft: ChainDraft) => void;
}

function SendForm({ list, wallet, account, to, setTo, amount, setAmount, onDraft, onClose }: SendFormProps) {
  const { t } = useTranslation(['wallet', 'common']);
  const format = useFormat();
  const address = to.trim();
  const rao = format.readTao(amount);
  const isAddress = SS58_LOOKS.test(address);
  const { pending, error, go, reset } = useSecretly(async (wanted: string) =>
    client.chain.draft({ action: 'transfer', wallet, to: address, amount: wanted }),
  );
  const next = async () => {
    if (!isAddress || !rao || rao === '0') return;
    const draft = await go(rao);
    if (draft) onDraft(draft);
  };
  /** All that can be sent, when the fee is paid. */
  const useAll = async () => {
    if (!account) return;
    const draft = await go(account.spendable);
    if (draft) setAmount(format.taoTyped(String(larger(0n, BigInt(account.spendable) - BigInt(draft.fee)))));
  };
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    reset();
  };
  return (
    <Modal opened onClose={onClose} title={t('wallet:send.title', { wallet })} size={480}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void next();
        }}
      >
        <Stack>
          <Autocomplete
            label={t('wallet:send.to')}
            description={t('wallet:send.toHint')}
            value={to}
            onChange={change(setTo)}
            data={ownAddresses(list, wallet)}
            error={address !== '' && !isAddress ? t('wallet:send.noAddress') : errorAt(error, 'to', 'address')}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            renderOption={({ option: { value } }) => <OwnAddress list={list} address={value} />}
            data-autofocus
          />
          <Group align="flex-start" wrap="nowrap" gap="xs">
            <div style={{ flex: 1 }}>
              <TaoInput
                label={t('wallet:send.amount')}
                value={amount}
                onChange={change(setAmount)}
                description={account && t('wallet:send.has', { amount: format.tao(account.spendable) })}
                error={errorAt(error, 'amount')}
              />
            </div>
            <Button
              variant="default"
              mt={23}
              disabled={!isAddress || !account || pending}
              onClick={() => void useAll()}
            >
              {t('wallet:send.all')}
            </Button>
          </Group>
          <ErrorNote error={errorBeside(error, 'to', 'address', 'amount')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" loading={pending} disabled={!isAddress || !rao || rao === '0'}>
              {t('wallet:send.next')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function OwnAddress({ list, address }: { list: WalletList; address: string }) {
  const name = list.wallets.find(({ coldkey }) => coldkey?.address === address)?.name;
  return (
    <div>
      <Text size="sm">{name}</Text>
      <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {address}
      </Text>
    </div>
  );
}

/** The other wallets of this computer. */
function ownAddresses({ wallets }: WalletList, but: string): string[] {
  const coldkeys = wallets.filter(({ name }) => name !== but).flatMap((wallet) => keysOf(wallet).slice(0, 1));
  return [...new Set(coldkeys.filter(({ hotkey }) => !hotkey).flatMap(({ address }) => address ?? []))];
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b);

import { Button, Group, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
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

type Stake = AccountView['stakes'][number];

const FIELDS = ['hotkey', 'address', 'netuid', 'amount', 'tolerance'] as const;
/** Parts of 10,000 in a percent. */
const PARTS = 100;

interface StakeDialogProps {
  wallet: string;
  way: 'stake' | 'unstake';
  /** Of which something is taken out, or to which more is put; undefined for another validator. */
  stake: Stake | undefined;
  /** Rao that the wallet can spend. */
  spendable: string;
  onClose: () => void;
}

interface Wanted {
  hotkey: string;
  netuid: number;
  amount: string;
  /** Percent. */
  tolerance: number;
}

/** Puts TAO on a validator, or takes it back, at a price that is not worse than somebody said. */
export function StakeDialog(props: StakeDialogProps) {
  const { stake, onClose } = props;
  const [draft, setDraft] = useState<ChainDraft>();
  const [wanted, setWanted] = useState<Wanted>({
    hotkey: stake?.hotkey ?? '',
    netuid: stake?.netuid ?? 0,
    amount: '',
    tolerance: 0.5,
  });
  if (draft) {
    return <CallDialog action={draft.action} draft={draft} onBack={() => setDraft(undefined)} onClose={onClose} />;
  }
  return <StakeForm {...props} wanted={wanted} setWanted={setWanted} onDraft={setDraft} />;
}

interface StakeFormProps extends StakeDialogProps {
  wanted: Wanted;
  setWanted: (wanted: Wanted) => void;
  onDraft: (draft: ChainDraft) => void;
}

function StakeForm({ wallet, way, stake, spendable, onClose, wanted, setWanted, onDraft }: StakeFormProps) {
  const { t } = useTranslation(['wallet', 'common']);
  const format = useFormat();
  const rao = format.readTao(wanted.amount);
  const hotkey = wanted.hotkey.trim();
  const isHotkey = SS58_LOOKS.test(hotkey);
  const has = way === 'stake' ? spendable : (stake?.amount ?? '0');
  const unit = way === 'unstake' && wanted.netuid !== 0 ? 'α' : 'TAO';
  const { pending, error, go, reset } = useSecretly(async (amount: string) =>
    client.chain.draft({
      action: way,
      wallet,
      hotkey,
      netuid: wanted.netuid,
      amount,
      tolerance: Math.round(wanted.tolerance * PARTS),
    }),
  );
  const set = (some: Partial<Wanted>) => {
    setWanted({ ...wanted, ...some });
    reset();
  };
  const isFit = isHotkey && rao !== undefined && rao !== '0';
  const next = async () => {
    const draft = isFit ? await go(rao) : undefined;
    if (draft) onDraft(draft);
  };
  return (
    <Modal opened onClose={onClose} title={t(`wallet:${way}.title`)} size={480}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void next();
        }}
      >
        <Stack>
          <TextInput
            label={t('wallet:stake.hotkey')}
            description={t('wallet:stake.hotkeyHint')}
            value={wanted.hotkey}
            onChange={(event) => set({ hotkey: event.currentTarget.value })}
            readOnly={stake !== undefined}
            error={hotkey !== '' && !isHotkey ? t('wallet:send.noAddress') : errorAt(error, 'hotkey', 'address')}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            data-autofocus={stake === undefined || undefined}
          />
          <NumberInput
            label={t('wallet:stake.netuid')}
            description={t('wallet:stake.netuidHint')}
            value={wanted.netuid}
            onChange={(value) => set({ netuid: Number(value) || 0 })}
            readOnly={stake !== undefined}
            error={errorAt(error, 'netuid')}
            min={0}
            max={65_535}
            allowDecimal={false}
            allowNegative={false}
          />
          <Group align="flex-start" wrap="nowrap" gap="xs">
            <div style={{ flex: 1 }}>
              <TaoInput
                label={t('wallet:send.amount')}
                unit={unit}
                value={wanted.amount}
                onChange={(amount) => set({ amount })}
                description={t('wallet:stake.has', { amount: format.tao(has), unit })}
                error={errorAt(error, 'amount')}
                autoFocus={stake !== undefined}
              />
            </div>
            {way === 'unstake' && (
              <Button variant="default" mt={23} onClick={() => set({ amount: format.taoTyped(has) })}>
                {t('wallet:send.all')}
              </Button>
            )}
          </Group>
          {wanted.netuid !== 0 && (
            <NumberInput
              label={t('wallet:stake.tolerance')}
              description={t('wallet:stake.toleranceHint')}
              value={wanted.tolerance}
              onChange={(value) => set({ tolerance: Number(value) || 0 })}
              error={errorAt(error, 'tolerance')}
              suffix=" %"
              min={0}
              max={100}
              step={0.5}
              decimalScale={2}
              decimalSeparator={format.decimalPoint}
            />
          )}
          <ErrorNote error={errorBeside(error, ...FIELDS)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" loading={pending} disabled={!isFit}>
              {t('wallet:send.next')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

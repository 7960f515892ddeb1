import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChainAction } from '../../../../src-preload/contract/chain.ts';
import { registrationLimit } from '../../../../src-preload/contract/registration-limit.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Tao } from '../../../components/chain/Tao.tsx';
import { TaoInput } from '../../../components/chain/TaoInput.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Facts } from '../../../components/page/Inspector.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useSubnets } from '../use-subnets.ts';
import { HotkeySelect } from './HotkeySelect.tsx';
import { NoHotkey } from './NoHotkey.tsx';
import { keyOfHotkey, payableHotkeys } from './own-hotkeys.ts';

interface RegisterFormProps {
  netuid: number;
  onCheck: (action: ChainAction) => void;
  onClose: () => void;
}

/** Which hotkey takes a place, and the most that may be paid for it: the price rises with each that comes before. */
export function RegisterForm({ netuid, onCheck, onClose }: RegisterFormProps) {
  const { t } = useTranslation(['subnets', 'common']);
  const subnets = useSubnets();
  const wallets = useAnswer(api.wallet.list.queryOptions());
  const format = useFormat();
  const [key, setKey] = useState<string>();
  const [typed, setTyped] = useState<string>();
  const hotkeys = payableHotkeys(wallets.data?.wallets ?? []);
  const hotkey = hotkeys.find((one) => keyOfHotkey(one) === key) ?? hotkeys[0];
  const payer = hotkey?.coldkey;
  const account = useAnswer(
    api.chain.accounts.queryOptions({ input: { addresses: [payer ?? ''] }, enabled: payer !== undefined }),
  );
  const price = subnets.data?.find((one) => one.netuid === netuid)?.registrationCost ?? null;
  const limit = typed ?? (price === null ? '' : format.taoTyped(String(registrationLimit(BigInt(price)))));
  const most = format.readTao(limit);
  const isTooLittle = price !== null && most !== undefined && BigInt(most) < BigInt(price);
  const error = wallets.error ?? subnets.error ?? account.error;
  if (!wallets.data || !subnets.data) {
    return error ? <ErrorNote error={error} /> : <TableSkeleton rows={3} />;
  }
  if (!hotkey) return <NoHotkey onLeave={onClose} />;
  const check = () => {
    const { wallet, hotkey: name } = hotkey;
    if (most !== undefined) onCheck({ action: 'register', wallet, hotkey: name, netuid, limitPrice: String(most) });
  };
  return (
    <Stack>
      <HotkeySelect
        hotkeys={hotkeys}
        value={keyOfHotkey(hotkey)}
        onChange={setKey}
        description={t('subnets:register.hotkeyHint')}
      />
      <Facts
        facts={[
          [t('subnets:register.price'), <Tao key="price" rao={price} unit="TAO" />],
          [
            t('subnets:register.spendable', { wallet: hotkey.wallet }),
            account.data?.[0] && <Tao key="spendable" rao={account.data[0].spendable} unit="TAO" />,
          ],
        ]}
      />
      <TaoInput
        label={t('subnets:register.limit')}
        description={t('subnets:register.limitHint')}
        value={limit}
        onChange={setTyped}
        error={isTooLittle ? t('subnets:register.tooLittle') : undefined}
      />
      <ErrorNote error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:action.cancel')}
        </Button>
        <Button disabled={most === undefined || isTooLittle} onClick={check}>
          {t('subnets:calls.check')}
        </Button>
      </Group>
    </Stack>
  );
}

import { useTranslation } from 'react-i18next';
import type { AccountView } from '../../../../src-preload/contract/chain.ts';
import { Tao } from '../../../components/chain/Tao.tsx';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { useFormat } from '../../../i18n/format.ts';
import type { FundedWallet } from '../chosen-wallet.ts';

interface BalanceFiguresProps {
  wallet: FundedWallet;
  /** No other is to be chosen from. */
  isOne: boolean;
  account: AccountView | undefined;
}

/** All that a wallet has, what of it can be sent, and what works for it. */
export function BalanceFigures({ wallet, isOne, account }: BalanceFiguresProps) {
  const { t } = useTranslation('wallet');
  const format = useFormat();
  const held = account && BigInt(account.free) + BigInt(account.reserved) - BigInt(account.spendable);
  const hotkeys = new Set(account?.stakes.map(({ hotkey }) => hotkey)).size;
  return (
    <Figures>
      <Figure
        hero
        label={isOne ? t('balance.total', { wallet: wallet.name }) : t('balance.all')}
        value={account && <Tao rao={account.total} />}
        unit="TAO"
        note={wallet.coldkey.sealing === null ? t('balance.watchOnly') : t('balance.totalNote')}
      />
      <Figure
        label={t('balance.spendable')}
        value={account && <Tao rao={account.spendable} />}
        unit="TAO"
        note={held && held > 0n ? t('balance.held', { amount: format.tao(String(held)) }) : t('balance.spendableNote')}
      />
      <Figure
        label={t('balance.staked')}
        value={account && <Tao rao={account.staked} />}
        unit="TAO"
        note={account && t('balance.onHotkeys', { count: hotkeys, formatted: format.number(hotkeys) })}
      />
    </Figures>
  );
}

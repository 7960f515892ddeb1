import { Button, Select, Stack } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BLOCK_MS } from '../../../../src-preload/contract/block-time.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ChainNote } from '../../../components/chain/ChainState.tsx';
import { useChain } from '../../../components/chain/use-chain.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { onWantedAction } from '../../../state/wanted.ts';
import { type FundedWallet, useChosen, useChosenWallet } from '../chosen-wallet.ts';
import { Refusals } from '../Refusals.tsx';
import { SendDialog } from '../send/SendDialog.tsx';
import classes from '../wallet.module.css';
import type { WalletList } from '../wallet-list.ts';
import { Activity } from './Activity.tsx';
import { BalanceChart } from './BalanceChart.tsx';
import { BalanceFigures } from './BalanceFigures.tsx';
import { ReceiveDialog } from './ReceiveDialog.tsx';
import { Stakes } from './Stakes.tsx';

/** What a wallet holds, how that went on, what was sent from here, and the ways to send and receive. */
export function Balance({ list }: { list: WalletList }) {
  const { t } = useTranslation('wallet');
  const { wallet, all } = useChosenWallet(list);
  if (!wallet) {
    return (
      <PageBody>
        <Refusals of={list} />
        <EmptyState title={t('balance.noColdkey')}>{t('balance.noColdkeyHint')}</EmptyState>
      </PageBody>
    );
  }
  return <WalletBalance key={wallet.name} list={list} wallet={wallet} all={all} />;
}

function WalletBalance({ list, wallet, all }: { list: WalletList; wallet: FundedWallet; all: FundedWallet[] }) {
  const { t } = useTranslation('wallet');
  const { address, sealing } = wallet.coldkey;
  const [dialog, setDialog] = useState<'send' | 'receive'>();
  const chain = useChain();
  const isLost = chain.state?.status === 'lost';
  const maySend = sealing !== null && !isLost;
  useEffect(() => onWantedAction('sendTao', () => maySend && setDialog('send')), [maySend]);
  useEffect(() => onWantedAction('receiveTao', () => setDialog('receive')), []);
  const { data, error, refetch } = useAnswer(
    api.chain.accounts.queryOptions({
      input: { addresses: [address] },
      placeholderData: keepPreviousData,
      refetchInterval: BLOCK_MS, // more often nothing changes,
    }),
  );
  const account = data?.[0];
  return (
    <PageBody>
      <Stack gap="sm" mb={16} className={classes.notes}>
        <Refusals of={list} />
        <ChainNote chain={chain} />
        {error && !isLost ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
      </Stack>
      {all.length > 1 && (
        <Select
          aria-label={t('balance.wallet')}
          data={all.map(({ name }) => name)}
          value={wallet.name}
          onChange={(name) => name && useChosen.setState({ name })}
          allowDeselect={false}
          maw={280}
          mb={16}
        />
      )}
      <div className={classes.top}>
        <BalanceFigures wallet={wallet} isOne={all.length === 1} account={account} />
        <div className={classes.acts}>
          <Button
            leftSection={<IconArrowUpRight size={15} stroke={1.8} aria-hidden />}
            disabled={!maySend}
            onClick={() => setDialog('send')}
          >
            {t('send.do')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconArrowDownLeft size={15} stroke={1.8} aria-hidden />}
            onClick={() => setDialog('receive')}
          >
            {t('receive.do')}
          </Button>
        </div>
      </div>
      <BalanceChart address={address} />
      <Stakes wallet={wallet.name} maySend={maySend} account={account} />
      <Activity />
      {dialog === 'send' && (
        <SendDialog list={list} wallet={wallet.name} account={account} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'receive' && (
        <ReceiveDialog wallet={wallet.name} address={address} onClose={() => setDialog(undefined)} />
      )}
    </PageBody>
  );
}

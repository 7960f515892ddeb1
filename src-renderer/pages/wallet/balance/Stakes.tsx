import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountView } from '../../../../src-preload/contract/chain.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { useKeyNames } from '../../../components/chain/key-names.ts';
import { shortAddress } from '../../../components/chain/short-address.ts';
import { Tao } from '../../../components/chain/Tao.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import classes from '../../../components/page/table.module.css';
import { Section } from '../../../components/Section.tsx';
import { StakeDialog } from '../send/StakeDialog.tsx';

type Stake = AccountView['stakes'][number];

interface StakesProps {
  wallet: string;
  /** Whether its key is here, and the chain. */
  maySend: boolean;
  account: AccountView | undefined;
}

/** What is staked with whom, and the ways to more and to less. */
export function Stakes({ wallet, maySend, account }: StakesProps) {
  const { t } = useTranslation('wallet');
  const [dialog, setDialog] = useState<{ way: 'stake' | 'unstake'; stake?: Stake }>();
  const stakes = account?.stakes ?? [];
  return (
    <Section
      title={t('stakes.title')}
      aside={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={!maySend || !account}
          onClick={() => setDialog({ way: 'stake' })}
        >
          {t('stake.do')}
        </Button>
      }
    >
      {account && stakes.length === 0 && <EmptyState title={t('stakes.none')}>{t('stakes.noneHint')}</EmptyState>}
      {stakes.length > 0 && (
        <div className={`${classes.list} ${classes.bleed}`}>
          <table className={classes.table} aria-label={t('stakes.title')}>
            <thead>
              <tr>
                <th scope="col">{t('stakes.hotkey')}</th>
                <th scope="col" className={classes.num}>
                  {t('stakes.amount')}
                </th>
                <th scope="col" className={`${classes.num} ${classes.wide}`}>
                  {t('stakes.worth')}
                </th>
                <th scope="col" className={classes.action} aria-label={t('stakes.actions')} />
              </tr>
            </thead>
            <tbody>
              {stakes.map((stake) => (
                <Row
                  key={`${stake.hotkey} ${stake.netuid}`}
                  stake={stake}
                  onUnstake={maySend ? () => setDialog({ way: 'unstake', stake }) : undefined}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {account && (
        <Text size="sm" c="var(--q-ink-2)" mt={10}>
          {t('stakes.earned')}
        </Text>
      )}
      {dialog && account && (
        <StakeDialog
          wallet={wallet}
          way={dialog.way}
          stake={dialog.stake}
          spendable={account.spendable}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Section>
  );
}

function Row({ stake, onUnstake }: { stake: Stake; onUnstake: (() => void) | undefined }) {
  const { t } = useTranslation('wallet');
  const nameOf = useKeyNames();
  const { hotkey, netuid, amount, worth } = stake;
  const name = nameOf(hotkey);
  return (
    <tr className={classes.row}>
      <th scope="row">
        <Group gap={8}>
          {name && <span className={classes.name}>{name}</span>}
          <Address address={hotkey} />
        </Group>
        <span className={classes.sub}>{netuid === 0 ? t('stakes.root') : t('stakes.subnet', { netuid })}</span>
      </th>
      <td className={classes.num}>
        <Tao rao={amount} unit={netuid === 0 ? 'TAO' : 'α'} />
      </td>
      <td className={`${classes.num} ${classes.wide}`}>
        <Tao rao={worth} />
      </td>
      <td className={classes.action}>
        <Button
          size="xs"
          variant="default"
          disabled={!onUnstake}
          onClick={onUnstake}
          aria-label={t('stakes.unstakeFrom', { hotkey: name ?? shortAddress(hotkey) })}
        >
          {t('unstake.do')}
        </Button>
      </td>
    </tr>
  );
}

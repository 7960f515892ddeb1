import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountView } from '../../../../src-preload/contract/chain.ts';
import { api } from '../../../api/client.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { ChainNote } from '../../../components/chain/ChainState.tsx';
import { Tao } from '../../../components/chain/Tao.tsx';
import { useChain } from '../../../components/chain/use-chain.ts';
import classes from '../../../components/page/table.module.css';
import { KeyPager, KeySearch } from '../KeyPager.tsx';
import { SealingChip } from '../keys/SealingChip.tsx';
import { Refusals } from '../Refusals.tsx';
import { stakedOn } from '../staked-on.ts';
import { useKeyPage } from '../use-key-page.ts';
import { keyId, type NamedKey, type WalletList } from '../wallet-list.ts';

/** As many as main takes at a time. */
const AT_A_TIME = 64;

/** Where every key of this computer is on the chain, and what it has there. */
export function Addresses({ list }: { list: WalletList }) {
  const { t } = useTranslation('wallet');
  const chain = useChain();
  const page = useKeyPage(list);
  const known = useKnown(list, page.rows);
  return (
    <div className={classes.list}>
      <Stack className={classes.pad} pb={0}>
        <Refusals of={list} />
        <ChainNote chain={chain} />
      </Stack>
      <KeySearch page={page} />
      <table className={classes.table} aria-label={t('addresses.title')}>
        <thead>
          <tr>
            <th scope="col">{t('addresses.key')}</th>
            <th scope="col">{t('addresses.address')}</th>
            <th scope="col" className={classes.num}>
              {t('balance.spendable')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('balance.staked')}
            </th>
          </tr>
        </thead>
        {page.byWallet.map(([wallet, keys]) => (
          <tbody key={wallet}>
            <tr className={classes.group}>
              <th scope="rowgroup" colSpan={4}>
                {wallet}
                {!known.coldkeys.has(wallet) && ` · ${t('balance.noColdkey')}`}
              </th>
            </tr>
            {keys.map((key) => (
              <Row key={keyId(key)} of={key} has={hasOf(key, known)} />
            ))}
          </tbody>
        ))}
      </table>
      <KeyPager page={page} />
      <Text size="sm" c="var(--q-ink-2)" className={classes.pad}>
        {t('stakes.earned')}
      </Text>
    </div>
  );
}

/** What a key has: rao to spend, null where that is not known; and what is staked by it, or on it. */
interface Has {
  spendable: string | null;
  staked: string | null;
}

/** What is known of the keys of a page. */
interface Known {
  accounts: ReadonlyMap<string, AccountView>;
  /** What own accounts have staked, by hotkey. */
  staked: ReadonlyMap<string, bigint>;
  /** Addresses of coldkeys, by wallet; null where nothing tells it. */
  coldkeys: ReadonlyMap<string, string | null>;
}

/** Coldkeys own what is staked; on a hotkey it is looked for in the accounts of this computer's own coldkeys. Without that of its wallet it is not known. */
function hasOf({ wallet, hotkey, address }: NamedKey, { accounts, staked, coldkeys }: Known): Has {
  const account = accounts.get(address ?? '');
  if (!account) return { spendable: null, staked: null };
  const { spendable } = account;
  if (hotkey === undefined) return { spendable, staked: account.staked };
  return { spendable, staked: coldkeys.get(wallet) ? String(staked.get(account.address) ?? 0n) : null };
}

function Row({ of: key, has: { spendable, staked } }: { of: NamedKey; has: Has }) {
  const { t } = useTranslation('wallet');
  return (
    <tr className={classes.row}>
      <th scope="row">
        <span className={classes.name}>{key.hotkey ?? t('keys.coldkey')}</span>
        <span className={classes.sub}>
          {key.sealing === null ? <SealingChip sealing={null} /> : t(key.hotkey ? 'keys.hotkey' : 'keys.holdsMoney')}
        </span>
      </th>
      <td>{key.address === null ? t('addresses.unknown') : <Address address={key.address} />}</td>
      <td className={classes.num}>
        <Tao rao={spendable} />
      </td>
      <td className={`${classes.num} ${classes.wide}`}>
        <Tao rao={staked} />
      </td>
    </tr>
  );
}

/** What the keys of a page have, as far as the chain has said so; coldkeys of other pages may have staked on them, too. */
function useKnown({ wallets }: WalletList, page: readonly NamedKey[]): Known {
  const coldkeys = useMemo(
    () => new Map(wallets.flatMap(({ name, coldkey }) => (coldkey ? [[name, coldkey.address]] : []))),
    [wallets],
  );
  const owners = useAccounts([...coldkeys.values()]);
  const shown = useAccounts(page.flatMap(({ hotkey, address }) => (hotkey === undefined ? [] : address)));
  const accounts = new Map([...owners, ...shown]);
  return { accounts, staked: stakedOn([...accounts.values()]), coldkeys };
}

function useAccounts(all: readonly (string | null)[]): ReadonlyMap<string, AccountView> {
  const addresses = [...new Set(all.flatMap((address) => address ?? []))];
  const parts = Array.from({ length: Math.ceil(addresses.length / AT_A_TIME) }, (_, part) =>
    addresses.slice(part * AT_A_TIME, (part + 1) * AT_A_TIME),
  );
  const answers = useQueries({
    queries: parts.map((part) =>
      api.chain.accounts.queryOptions({ input: { addresses: part }, placeholderData: keepPreviousData }),
    ),
  });
  return new Map(answers.flatMap(({ data }) => data ?? []).map((account) => [account.address, account]));
}

import { useMemo, useState } from 'react';
import { usePages } from '../../components/page/use-pages.ts';
import { findKeys, keysOf, type NamedKey, type WalletList } from './wallet-list.ts';

/** There may be thousands of keys. */
const ROWS = 50;

/** A page of keys, by their wallets. */
export interface KeyPage {
  rows: NamedKey[];
  byWallet: [wallet: string, keys: NamedKey[]][];
  page: number;
  pages: number;
  setPage: (page: number) => void;
  /** Whether there are more than one page has. */
  isLong: boolean;
  text: string;
  find: (text: string) => void;
}

/** All keys of this computer, a page at a time, and those that are looked for. */
export function useKeyPage({ wallets }: WalletList): KeyPage {
  const [text, setText] = useState('');
  const keys = useMemo(() => wallets.flatMap(keysOf), [wallets]);
  const found = useMemo(() => findKeys(keys, text), [keys, text]);
  const { rows, ...pager } = usePages(found, ROWS);
  const find = (wanted: string) => {
    setText(wanted);
    pager.setPage(1);
  };
  return {
    rows,
    byWallet: [...Map.groupBy(rows, ({ wallet }) => wallet)],
    ...pager,
    isLong: keys.length > ROWS,
    text,
    find,
  };
}

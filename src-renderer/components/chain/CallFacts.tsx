import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChainDraft } from '../../../src-preload/contract/chain.ts';
import { placeText } from '../../../src-preload/contract/place.ts';
import { useFormat } from '../../i18n/format.ts';
import { Address } from './Address.tsx';
import classes from './call.module.css';
import { useKeyNames } from './key-names.ts';
import { shortAddress } from './short-address.ts';

/** Who, to whom, for how much, and what is left. */
export function CallFacts({ draft }: { draft: ChainDraft }) {
  const { t } = useTranslation('chain');
  const format = useFormat();
  const nameOf = useKeyNames();
  const facts: [name: string, value: ReactNode][] = [
    [t('call.from'), <Named key="from" address={draft.from} name={nameOf(draft.from)} />],
    ...useAim(draft),
    ...(draft.replaces === undefined
      ? []
      : [[t('call.replaces'), draft.replaces || t('call.replacesUnread')] as [string, ReactNode]]),
    ...useSwap(draft),
    ...(draft.now === undefined ? [] : [[t('call.now'), `${format.taoExact(draft.now)} TAO`] as [string, ReactNode]]),
    [t('call.fee'), `${format.taoExact(draft.fee)} TAO`],
    [t('call.keep'), draft.left === null ? '–' : t('call.left', { amount: format.tao(draft.left) })],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Named({ address, name }: { address: string; name: string | undefined }) {
  return (
    <>
      {name && <b>{name} </b>}
      <code>{shortAddress(address)}</code>
    </>
  );
}

/** Whom or what it is about. */
function useAim({ action }: ChainDraft): [name: string, value: ReactNode][] {
  const { t } = useTranslation('chain');
  const nameOf = useKeyNames();
  const whole = (address: string): ReactNode => (
    <>
      {nameOf(address) && (
        <div>
          <b>{nameOf(address)}</b>
        </div>
      )}
      <Address address={address} whole copy={false} />
    </>
  );
  switch (action.action) {
    case 'transfer':
      return [[t('call.to'), whole(action.to)]];
    case 'stake':
    case 'unstake':
      return [
        [t('call.hotkey'), whole(action.hotkey)],
        [t('call.subnet'), action.netuid],
      ];
    case 'move':
      return [
        [t('call.hotkey'), whole(action.hotkey)],
        [t('call.subnet'), action.netuid],
        action.toNetuid === undefined
          ? [t('call.toHotkey'), whole(action.toHotkey ?? action.hotkey)]
          : [t('call.toSubnet'), action.toNetuid],
      ];
    case 'register':
      return [
        [t('call.hotkey'), action.hotkey],
        [t('call.subnet'), action.netuid],
      ];
    case 'serve':
      return [
        [t('call.subnet'), action.netuid],
        [t('call.place'), <code key="place">{placeText(action)}</code>],
      ];
    case 'commitment':
      return [
        [t('call.subnet'), action.netuid],
        [t('call.text'), action.text],
      ];
    case 'weights':
      return [
        [t('call.subnet'), action.netuid],
        [t('call.weights'), action.weights.length],
      ];
    case 'reveal':
      return [[t('call.subnet'), action.netuid]];
  }
}

/** What comes out of a stake, and how bad the price may get. */
function useSwap({ action, swap }: ChainDraft): [name: string, value: ReactNode][] {
  const { t } = useTranslation('chain');
  const format = useFormat();
  if (!swap) return [];
  const unit = action.action === 'unstake' ? 'TAO' : 'α';
  const priceText = action.action === 'move' ? 'call.movePriceText' : 'call.priceText';
  const slippage = format.number(swap.slippage / 100, 2);
  return [
    [t('call.out'), t('call.outText', { amount: format.tao(swap.out), unit, slippage })],
    [t('call.price'), t(priceText, { price: format.taoExact(swap.price) })],
    [
      t(`call.limit.${action.action === 'stake' ? 'stake' : 'unstake'}`),
      t(priceText, { price: format.taoExact(swap.limitPrice) }),
    ],
  ];
}

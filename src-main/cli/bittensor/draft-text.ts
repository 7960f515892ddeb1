import { styleText } from 'node:util';
import type { ChainDraft, ChainNetwork } from '../../../src-preload/contract/chain.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { counted } from '../terminal/output.ts';
import { inGroups, tao } from './amounts.ts';

/** A call before it is sent, as whoever confirms it reads it: what it does, for how much, to whom, and what is left. */
export function draftText(draft: ChainDraft, network: ChainNetwork): string {
  const rows = rowsOf(draft, network).filter((row): row is [string, string] => row[1] !== undefined);
  const widest = Math.max(...rows.map(([label]) => label.length));
  return [
    styleText('bold', titleOf(draft)),
    ...rows.map(([label, value]) => `  ${label.padEnd(widest)}  ${value}`),
    ...draft.warnings.map(({ text }) => `${styleText('yellow', '!')} ${text}`),
  ].join('\n');
}

function titleOf({ action: wanted, amount = '0', call }: ChainDraft): string {
  switch (wanted.action) {
    case 'transfer':
      return `Send ${tao(amount)} TAO`;
    case 'register':
      return `Register the hotkey ${wanted.hotkey} of ${wanted.wallet} on subnet ${wanted.netuid}`;
    case 'serve':
      return `Tell subnet ${wanted.netuid} that the axon of ${wanted.hotkey} is at ${wanted.ip}, port ${wanted.port}`;
    case 'stake':
      return `Stake ${tao(amount)} TAO on subnet ${wanted.netuid}`;
    case 'unstake':
      return `Take ${tao(amount)} alpha out of subnet ${wanted.netuid}`;
    case 'move':
      return `Move ${tao(amount)} alpha of subnet ${wanted.netuid} to ${wanted.toNetuid === undefined ? 'another hotkey' : `subnet ${wanted.toNetuid}`}`;
    case 'commitment':
      return `Say on subnet ${wanted.netuid}, in public: ${foreignLine(wanted.text)}`;
    case 'weights':
      return `Set weights of ${counted(wanted.weights.length, 'neuron')} on subnet ${wanted.netuid}, ${howWeights(call.name)}`;
    case 'reveal':
      return `Reveal the weights that were committed to on subnet ${wanted.netuid}`;
  }
}

function howWeights(call: string): string {
  if (/timelocked/i.test(call)) return 'locked until the chain opens them';
  return /^commit/.test(call) ? 'committed to, to be revealed later' : 'openly';
}

function rowsOf(draft: ChainDraft, network: ChainNetwork): [label: string, value: string | undefined][] {
  const { action: wanted, from, fee, left, moves, now, replaces, signedBy } = draft;
  const isMove = wanted.action === 'move';
  const isFree = signedBy === 'hotkey' && fee === '0'; // a hotkey with nothing on it is nothing to be alarmed about
  const stakes = wanted.action === 'stake' || wanted.action === 'unstake' || isMove;
  return [
    ['network', network],
    ['from', `${inGroups(from)}  (${wanted.wallet}${signedBy === 'hotkey' ? ', hotkey' : ''})`],
    ['to', wanted.action === 'transfer' ? inGroups(wanted.to) : undefined],
    ['hotkey', stakes ? inGroups(wanted.hotkey) : undefined],
    ['to hotkey', isMove && wanted.toHotkey !== undefined ? inGroups(wanted.toHotkey) : undefined],
    ['replaces', replaces === '' ? 'something that is no plain text' : replaces && foreignLine(replaces)],
    ['amount', moves === '0' ? undefined : amountOf(moves, now)],
    ['fee', fee === '0' ? 'none' : `${tao(fee)} TAO`],
    ...swapRows(draft),
    ['left', isFree ? undefined : left === null ? 'not enough' : `${tao(left)} TAO`],
  ];
}

function swapRows({ action: { action }, swap }: ChainDraft): [label: string, value: string][] {
  if (!swap) return [];
  const unit = action === 'unstake' ? 'TAO' : 'alpha';
  const price = action === 'move' ? 'of its alpha for one of this' : 'TAO an alpha';
  const beyond = action === 'stake' ? 'above' : 'below';
  return [
    ['brings', `${tao(swap.out)} ${unit}, ${percent(swap.slippage)} lost on the way`],
    ['price', `${tao(swap.price)} ${price}; nothing is done ${beyond} ${tao(swap.limitPrice)}`],
  ];
}

const amountOf = (moves: string, now: string | undefined) =>
  now === undefined ? `${tao(moves)} TAO` : `${tao(now)} TAO now, at most ${tao(moves)} TAO`;

const percent = (parts: number) => `${(parts / 100).toLocaleString('en', { maximumFractionDigits: 2 })} %`;

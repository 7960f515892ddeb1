import { Autocomplete, type AutocompleteProps, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SS58_LOOKS } from '../../../../src-preload/contract/address-looks.ts';
import type { NeuronView } from '../../../../src-preload/contract/chain.ts';
import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import { placeText } from '../../../../src-preload/contract/place.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { shortAddress } from '../../../components/chain/short-address.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../evaluation.module.css';
import { changeDraft } from './draft.ts';

type MinerTarget = Extract<EvaluationTarget, { kind: 'axon' }>;

const MOST_SHOWN = 50;
const CHAIN_AGAIN_MS = 60_000;

/** Which miner of the subnet: those that have an axon are offered, the ones that earn most first. */
export function Miner({ target, netuid }: { target: MinerTarget; netuid: number | undefined }) {
  const { t } = useTranslation('evaluation');
  const { hotkey, at } = target;
  const [isLeft, setLeft] = useState(hotkey !== '');
  const subnet = target.netuid ?? netuid;
  const { data } = useAnswer({
    ...api.chain.subnet.queryOptions({ input: { netuid: subnet ?? 0 }, staleTime: CHAIN_AGAIN_MS }),
    enabled: subnet !== undefined,
  });
  const miners = minersOf(data?.rows ?? []);
  const change = (value: string) =>
    changeDraft({ target: { kind: 'axon', hotkey: value.trim(), ...(subnet !== undefined && { netuid: subnet }) } });
  const found = miners.get(hotkey);
  return (
    <div className={classes.miner}>
      <Autocomplete
        label={t('new.miner')}
        description={t('new.minerHelp')}
        placeholder="5HDvhV6W…"
        data={[...miners.keys()]}
        limit={MOST_SHOWN}
        filter={withUids(miners)}
        renderOption={({ option }) => <Option miner={miners.get(option.value)} />}
        value={hotkey}
        error={isLeft && hotkey !== '' && !SS58_LOOKS.test(hotkey) && t('new.minerWrong')}
        onChange={change}
        onBlur={() => setLeft(true)}
      />
      {(at ?? found?.axon) && (
        <Text size="sm" c="var(--q-ink-2)">
          {t('new.minerAt', { place: placeText((at ?? found?.axon) as NonNullable<typeof at>) })}
        </Text>
      )}
    </div>
  );
}

function Option({ miner }: { miner: NeuronView | undefined }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  if (!miner) return null;
  const { uid, hotkey, incentive } = miner;
  return (
    <span className={classes.option}>
      <span>{t('new.minerUid', { uid: format.number(uid) })}</span>
      <Text span inherit ff="monospace" title={hotkey}>
        {shortAddress(hotkey)}
      </Text>
      <span className={classes.share}>{t('new.minerShare', { share: format.percent(incentive) })}</span>
    </span>
  );
}

/** By their hotkeys: others’ that can be asked. */
function minersOf(rows: readonly NeuronView[]): Map<string, NeuronView> {
  const miners = rows.filter(({ axon, own }) => axon !== null && !own);
  return new Map(
    miners.toSorted((one, other) => other.incentive - one.incentive).map((miner) => [miner.hotkey, miner]),
  );
}

/** Found by their hotkey, or by their number. */
const withUids =
  (miners: Map<string, NeuronView>): NonNullable<AutocompleteProps['filter']> =>
  ({ options, search, limit }) => {
    const wanted = search.trim();
    const isWanted = (hotkey: string) => hotkey.includes(wanted) || String(miners.get(hotkey)?.uid) === wanted;
    return options.filter((option) => 'value' in option && isWanted(option.value)).slice(0, limit);
  };

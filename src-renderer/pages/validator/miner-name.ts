import { useTranslation } from 'react-i18next';
import type { AskedMiner } from '../../../src-preload/contract/validator-run.ts';
import { shortAddress } from '../../components/chain/short-address.ts';
import { modelTitle } from '../../i18n/model-title.ts';

/** What a miner is called: results have a key, `endpoint/NAME`, or `local/MODEL` for a model of this computer. */
export interface MinerName {
  name: string;
  kind: 'key' | 'endpoint' | 'local';
}

/** Keys are longer, and nothing else that people have given a name. */
const LONG = 24;

export function minerName(miner: string): MinerName {
  const [, kind, rest = ''] = /^(endpoint|local)\/(.+)$/s.exec(miner) ?? [];
  if (kind === 'endpoint') return { name: rest, kind };
  if (kind === 'local') return { name: modelTitle(rest).title, kind };
  return { name: miner.length > LONG ? shortAddress(miner) : miner, kind: 'key' };
}

/** The second line of a miner: the model that it says it has, or what it is. */
export function useMinerLine(): (
  miner: string,
  asked: Pick<AskedMiner, 'model' | 'uid' | 'kind'> | undefined,
) => string {
  const { t } = useTranslation('validator');
  return (miner, asked) => {
    const { kind } = minerName(miner);
    if (kind === 'local') return t('kind.local');
    if (asked?.model) return asked.model;
    if (asked?.kind === 'axon') return t('kind.axonUid', { uid: asked.uid ?? '–' });
    return t(`kind.${kind === 'key' ? (asked?.kind ?? 'key') : kind}`);
  };
}

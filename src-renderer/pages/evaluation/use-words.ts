import { useTranslation } from 'react-i18next';
import type { EvaluationView } from '../../../src-preload/contract/evaluation.ts';
import type { DepthBand } from '../../../src-preload/contract/evaluation-numbers.ts';
import { BAND_ENDS, DEPTH_BANDS } from '../../../src-preload/contract/evaluation-numbers.ts';
import { tokensText } from '../../../src-preload/contract/token-length.ts';
import { shortAddress } from '../../components/chain/short-address.ts';
import { useTitles } from '../../components/useTitles.ts';
import { useFormat } from '../../i18n/format.ts';
import { knownText } from '../../i18n/known-text.ts';

/** How the things of this page are called. */
export function useWords() {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const titleOf = useTitles();
  const suites = t('suites', { returnObjects: true }) as Record<string, string>;
  const shows = t('shows', { returnObjects: true }) as Record<string, string>;
  const kinds = t('kinds', { returnObjects: true }) as Record<string, string>;
  const model = ({ model, plan }: Pick<EvaluationView, 'model' | 'plan'>) => {
    const { target } = plan;
    if (target.kind === 'axon') return t('target.miner', { hotkey: shortAddress(target.hotkey) });
    if (model !== null && model !== 'mesh') return titleOf(model);
    if (target.kind === 'mesh') return target.model === undefined ? t('target.anyOfMesh') : titleOf(target.model);
    if (target.kind === 'address') return target.model ?? hostOf(target.url);
    return t('target.local');
  };
  return {
    suite: (name: string) => knownText(suites, name),
    /** What a right answer to its questions shows. */
    shows: (name: string) => (Object.hasOwn(shows, name) ? shows[name] : undefined),
    kind: (name: string) => knownText(kinds, name),
    /** 4,000 as «4k». */
    length: (tokens: number) => tokensText(tokens, format.decimalPoint),
    band: (band: DepthBand) => t(`band.${band}`),
    /** «30–70%» */
    depths: (band: DepthBand) => {
      const before = DEPTH_BANDS[DEPTH_BANDS.indexOf(band) - 1];
      const from = format.number(100 * (before === undefined ? 0 : BAND_ENDS[before]));
      return `${from}–${format.percent(BAND_ENDS[band])}`;
    },
    model,
    /** Which one it is, for a list. */
    named: (one: EvaluationView) => `${model(one)} · ${format.time(one.createdAt)}`,
  };
}
const hostOf = (url: string) => URL.parse(url)?.host ?? url;

export type Words = ReturnType<typeof useWords>;

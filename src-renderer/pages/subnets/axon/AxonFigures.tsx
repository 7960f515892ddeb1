import { useTranslation } from 'react-i18next';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** Whether the axon runs and where, and how many were answered and turned away. */
export function AxonFigures({ axon }: { axon: AxonState }) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const { running, port, hotkey, netuid, answered } = axon;
  const refused = axon.refused.reduce((sum, { count }) => sum + count, 0);
  return (
    <Figures>
      <Figure
        wide
        label={t('place.axon')}
        value={t(running ? 'axon.running' : 'axon.stopped')}
        note={hotkey && t('axon.for', { hotkey: `${hotkey.wallet} · ${hotkey.hotkey}`, netuid: netuid ?? '–' })}
      />
      <Figure label={t('axon.port')} value={port === null ? '–' : String(port)} note={t('axon.portMeans')} />
      <Figure label={t('axon.answered')} value={format.number(answered)} note={t('axon.sinceStart')} />
      <Figure label={t('axon.refused')} value={format.number(refused)} note={t('axon.refusedMeans')} />
    </Figures>
  );
}

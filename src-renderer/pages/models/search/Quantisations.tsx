import { Radio } from '@mantine/core';
import { IconCheck, IconStar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { HubQuantisation, HubRepository } from '../../../../src-preload/contract/hub.ts';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useSpeedText } from '../model/memory-text.ts';
import { FitChip } from './FitChip.tsx';
import classes from './hub.module.css';
import { useOwn } from './use-own.ts';

interface QuantisationsProps {
  repository: HubRepository;
  /** Path of the one that is chosen. */
  chosen: string | undefined;
  onChoose: (file: string) => void;
}

/** Every size in which a model comes, with how it would run here. */
export function Quantisations({ repository, chosen, onChoose }: QuantisationsProps) {
  const { t } = useTranslation('models');
  const { quantisations, estimated } = repository;
  if (quantisations.length === 0) return <p className={classes.quiet}>{t('hub.noFiles')}</p>;
  const names = new Set(quantisations.map(({ name }) => name));
  return (
    <>
      <Radio.Group value={chosen ?? null} onChange={onChoose} aria-label={t('hub.choose')}>
        <div className={classes.choices}>
          {quantisations.map((one) => (
            <Choice key={one.file} quantisation={one} byFile={names.size < quantisations.length} />
          ))}
        </div>
      </Radio.Group>
      {quantisations.some(({ fit }) => fit) && (
        <p className={classes.quiet}>{t(estimated ? 'hub.estimated' : 'hub.exact')}</p>
      )}
    </>
  );
}

/** @param byFile whether its name alone would not tell it from another */
function Choice({ quantisation, byFile }: { quantisation: HubQuantisation; byFile: boolean }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const { name, file, bytes, pieces, fit, recommended } = quantisation;
  const speed = useSpeedRange(quantisation);
  const own = useOwn(quantisation);
  const facts = [format.bytes(bytes), pieces > 1 ? t('hub.pieces', { count: pieces }) : speed].filter(Boolean);
  return (
    <Radio.Card value={file} className={classes.choice}>
      <Radio.Indicator size="xs" />
      <span className={classes.words}>
        <span className={classes.title}>
          {name}
          {recommended && !own && (
            <span className={classes.recommended}>
              <IconStar size={12} stroke={1.8} aria-hidden />
              {t('hub.recommended')}
            </span>
          )}
        </span>
        <span className={`num ${classes.facts}`}>{facts.join(' · ')}</span>
        {byFile && <span className={classes.file}>{file}</span>}
      </span>
      {own ? (
        <StateChip state="good" icon={IconCheck}>
          {t('hub.here')}
        </StateChip>
      ) : pieces > 1 ? (
        <StateChip state="error">{t('hub.fit.pieces')}</StateChip>
      ) : (
        <FitChip fit={fit} />
      )}
    </Radio.Card>
  );
}

/** «12–20 tokens/s»; undefined where it does not run. */
function useSpeedRange({ fit }: HubQuantisation): string | undefined {
  const { t } = useTranslation('models');
  const speedText = useSpeedText();
  if (!fit || fit.runs === 'no') return undefined;
  const { low, high } = fit.speed;
  return t('hub.speed', { low: speedText(low), high: speedText(high) });
}

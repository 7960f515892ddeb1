import { Radio } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Forecast } from '../../../../src-preload/contract/earning.ts';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { speedText } from '../figures.ts';
import classes from '../welcome.module.css';
import type { Choice } from './choices.ts';

interface ModelRowProps {
  choice: Choice;
  recommended: boolean;
  /** Bytes that are free on the drive. */
  free: number | undefined;
  /** What it would probably bring; absent where nothing can be said. */
  forecast: Forecast | undefined;
}

/** A model to pick: what it is good for, and one line of figures. */
export function ModelRow({ choice, recommended, free, forecast }: ModelRowProps) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  const { name, title, tiny, installed, catalogue, tooLarge } = choice;
  const description = tiny ? t('model.tiny') : catalogue && worded(catalogue, 'description');
  return (
    <Radio.Card value={name} className={classes.model} disabled={tooLarge}>
      <Radio.Indicator className={classes.radio} disabled={tooLarge} mt={1} />
      <div className={classes.words}>
        <div className={classes.name}>
          {tiny ? t('model.tinyTitle') : title}
          {recommended && <StateChip state="good">{t('model.recommended')}</StateChip>}
          {installed && !tiny && (
            <StateChip state="idle" icon={IconCheck}>
              {t('model.installed')}
            </StateChip>
          )}
        </div>
        {description && <p>{description}</p>}
        <Figures choice={choice} forecast={forecast} />
        {tooLarge && (
          <p style={{ color: 'var(--q-error)' }}>{t('model.tooLarge', { free: format.bytes(free ?? 0) })}</p>
        )}
      </div>
    </Radio.Card>
  );
}

/** «CPU · 8–15 tokens/s · 2.5 GB» */
function Figures({ choice: { tiny, bytes, catalogue }, forecast }: Pick<ModelRowProps, 'choice' | 'forecast'>) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  const fit = catalogue?.fit;
  const facts = [
    fit && t(`model.on.${fit.runs}`),
    fit && fit.runs !== 'no' && t('model.speed', { speed: speedText(fit.speed, format) }),
    bytes !== null && !tiny && format.bytes(bytes),
  ].filter(Boolean);
  const points = forecast && Math.round(forecast.perDay.likely);
  if (facts.length === 0) return null;
  return (
    <p className={classes.figures}>
      {facts.join(' · ')}
      {points !== undefined && points > 0 && (
        <>
          {' · '}
          <span className={classes.earned}>{t('model.perDay', { points: format.number(points) })}</span>
        </>
      )}
    </p>
  );
}

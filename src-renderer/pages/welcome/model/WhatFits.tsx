import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { CatalogueModel } from '../../../../src-preload/contract/models.ts';
import type { Hardware } from '../../../../src-preload/contract/node.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Meter } from '../../../components/Meter.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { speedText } from '../figures.ts';
import classes from '../welcome.module.css';

/** So many are enough to tell what this computer is good for. */
const SHOWN = 3;

/** The best models that run well here: what they take of the memory they run in, and how fast they answer. */
export function WhatFits({ hardware }: { hardware: Hardware | undefined }) {
  const { t } = useTranslation('welcome');
  const { data } = useAnswer(api.models.recommend.queryOptions({ input: { use: 'chat' } }));
  if (!data) return null;
  if (data.length === 0) return <Note state="wait">{t('hardware.runsNothing')}</Note>;
  return (
    <section>
      <h2 className={classes.heading}>{t('hardware.fits')}</h2>
      <div className={classes.fits}>
        {data.slice(0, SHOWN).map((model) => (
          <Fit key={model.name} model={model} hardware={hardware} />
        ))}
      </div>
      <p className={classes.small} style={{ margin: '12px 0 0' }}>
        {t('hardware.parameters')}
      </p>
    </section>
  );
}

function Fit({ model: { title, fit }, hardware }: { model: CatalogueModel; hardware: Hardware | undefined }) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  if (!fit) return null;
  const { total } = fit.memory;
  const room = roomFor(fit.runs, hardware);
  return (
    <Fragment>
      <b>{title}</b>
      <div>
        {room !== undefined && <Meter parts={[{ share: total / room }]} />}
        <span className={classes.small}>
          {room === undefined
            ? format.bytes(total)
            : t('hardware.share', { used: format.bytes(total), of: format.bytes(room) })}
        </span>
      </div>
      <span className="num" style={{ textAlign: 'right' }}>
        {t('model.speed', { speed: speedText(fit.speed, format) })}
      </span>
    </Fragment>
  );
}

/** Bytes of the memory in which such a model lies: of the largest card, else the computer's own. */
function roomFor(runs: NonNullable<CatalogueModel['fit']>['runs'], hardware: Hardware | undefined): number | undefined {
  const memory = hardware?.memory.value?.total;
  if (runs !== 'gpu') return memory;
  const cards = hardware?.gpus.value?.map(({ vramTotal }) => vramTotal ?? 0) ?? [];
  return Math.max(0, ...cards) || memory;
}

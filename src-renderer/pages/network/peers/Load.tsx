import { useTranslation } from 'react-i18next';
import type { PeerView } from '../../../../src-preload/contract/mesh.ts';
import { Meter } from '../../../components/Meter.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';

const COLOURS: Record<NonNullable<PeerView['healthState']>, string> = {
  idle: 'var(--q-c1)',
  light: 'var(--q-c1)',
  moderate: 'var(--q-c1)',
  busy: 'var(--q-pause)',
  overloaded: 'var(--q-error)',
};

/** How busy a peer says it is: health is what is left of 100. Clients tell nothing. */
export function Load({ peer: { health, healthState } }: { peer: PeerView }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (health === undefined || healthState === undefined) return '–';
  const used = 1 - health / 100;
  return (
    <>
      <Meter parts={[{ share: used, colour: COLOURS[healthState] }]} />
      <span className={`num ${classes.sub}`}>
        {format.percent(used)} · {t(`healthState.${healthState}`)}
      </span>
    </>
  );
}

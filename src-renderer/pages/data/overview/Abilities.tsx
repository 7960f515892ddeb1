import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataAbility } from '../../../../src-preload/contract/data.ts';
import { Section } from '../../../components/Section.tsx';
import { stateColours } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../data.module.css';

/** What finding and judging is made of here; of what is missing, what that costs and what to do. */
export const Abilities = memo(function Abilities({ abilities }: { abilities: readonly DataAbility[] }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const ready = abilities.filter(({ isReady }) => isReady).length;
  const missingFirst = [...abilities].sort((a, b) => Number(a.isReady) - Number(b.isReady));
  return (
    <Section
      title={t('ability.title')}
      beside={
        <span className={classes.reason}>
          {t('ability.ready', { ready: format.number(ready), all: format.number(abilities.length) })}
        </span>
      }
    >
      <ul className={classes.abilities}>
        {missingFirst.map((one) => (
          <Ability key={one.ability} ability={one} />
        ))}
      </ul>
    </Section>
  );
});

function Ability({ ability: { ability, isReady, by, lost, hint } }: { ability: DataAbility }) {
  const { t } = useTranslation('data');
  const Icon = isReady ? IconCheck : IconAlertTriangle;
  return (
    <li className={classes.ability} style={stateColours(isReady ? 'good' : 'pause')}>
      <Icon size={18} stroke={1.6} role="img" aria-label={t(isReady ? 'ability.is' : 'ability.isNot')} />
      <div>
        <p>{t(`ability.name.${ability}`)}</p>
        {isReady && <p>{by ?? t('ability.is')}</p>}
        {lost && <p>{worded(lost, 'text')}</p>}
        {hint && <p>{worded(hint, 'text')}</p>}
      </div>
    </li>
  );
}

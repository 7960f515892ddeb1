import { IconCheck, IconX, type TablerIcon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type State, stateColours } from '../../components/state.ts';
import classes from './welcome.module.css';

const DOES = ['answers', 'earns', 'stops'] as const;
const NEVER = ['files', 'programs', 'texts'] as const;
const CREDITS_ARE = ['spend', 'tier'] as const;
const CREDITS_ARE_NOT = ['money', 'promise'] as const;

/** What mining does and what it never does; what credits are and what they are not. */
export function Promises() {
  const { t } = useTranslation('welcome');
  return (
    <div className={classes.columns}>
      <Points title={t('promise.does')} texts={DOES.map((one) => t(`promise.doesList.${one}`))} />
      <Points never title={t('promise.never')} texts={NEVER.map((one) => t(`promise.neverList.${one}`))} />
      <Points title={t('promise.credits')} texts={CREDITS_ARE.map((one) => t(`promise.creditsList.${one}`))} />
      <Points
        never
        title={t('promise.notCredits')}
        texts={CREDITS_ARE_NOT.map((one) => t(`promise.notCreditsList.${one}`))}
      />
    </div>
  );
}

interface PointsProps {
  title: string;
  texts: string[];
  /** These are what is not so. */
  never?: boolean;
}

function Points({ title, texts, never = false }: PointsProps) {
  const Mark: TablerIcon = never ? IconX : IconCheck;
  const state: State = never ? 'idle' : 'good';
  return (
    <section>
      <h2 className={classes.heading}>{title}</h2>
      <ul className={classes.points} style={stateColours(state)}>
        {texts.map((text) => (
          <li key={text}>
            <Mark size={16} stroke={2} aria-hidden />
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

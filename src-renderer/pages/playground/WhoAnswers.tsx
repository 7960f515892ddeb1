import { Radio, Stack } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { Note } from '../../components/Note.tsx';
import { useFormat } from '../../i18n/format.ts';
import classes from './playground.module.css';
import type { Answerers } from './useAnswerers.ts';
import { askedOf, type Who, whoOf } from './who.ts';

interface WhoAnswersProps {
  options: AskOptions;
  answerers: Answerers;
  onChange: (options: AskOptions) => void;
}

/** This computer for nothing, or somebody on the mesh for credits. */
export function WhoAnswers({ options, answerers, onChange }: WhoAnswersProps) {
  const { t } = useTranslation('playground');
  const { local, mesh, miners, titleOf } = answerers;
  return (
    <>
      <Radio.Group
        aria-label={t('target.label')}
        value={whoOf(options)}
        onChange={(who) => onChange(askedOf(who as Who, options))}
      >
        <Stack gap={4}>
          <p className={classes.where}>{t('target.local')}</p>
          <Choice
            who="local"
            name={local.name ? titleOf(local.name) : t('target.noModel')}
            beside={<Speed tokensPerSecond={local.tokensPerSecond} />}
          >
            {t('target.private')}
          </Choice>
          <p className={classes.where}>{t('target.mesh')}</p>
          {mesh.map(({ name, miners: count }) => (
            <Choice key={name} who={`mesh:${name}`} name={titleOf(name)}>
              {count > 0 ? t('target.miners', { count }) : t('target.noMiners')}
            </Choice>
          ))}
          <Choice who="mesh" name={t('target.anyone')}>
            {miners ? t('target.anyoneOf', { count: miners }) : t('target.shortestWait')}
          </Choice>
        </Stack>
      </Radio.Group>
      {options.target === 'mesh' && (
        <Stack mt={14}>
          <Note icon={IconEye}>{t('readable')}</Note>
        </Stack>
      )}
    </>
  );
}

interface ChoiceProps {
  who: Who;
  name: string;
  /** At the right: its speed, or what it costs. */
  beside?: ReactNode;
  /** The line below. */
  children: ReactNode;
}

function Choice({ who, name, beside, children }: ChoiceProps) {
  return (
    <Radio.Card value={who} className={classes.choice}>
      <Radio.Indicator size="xs" mt={2} />
      <span className={classes.name} title={name}>
        {name}
      </span>
      {beside ?? <span />}
      <span className={classes.below}>{children}</span>
    </Radio.Card>
  );
}

function Speed({ tokensPerSecond }: { tokensPerSecond: number | undefined }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  if (!tokensPerSecond) return <span />;
  return <span className={classes.speed}>{t('perSecond', { formatted: format.number(tokensPerSecond) })}</span>;
}

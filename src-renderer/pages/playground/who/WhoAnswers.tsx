import { Button, Radio, Stack } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../playground.module.css';
import { LocalModelLine } from './LocalModelLine.tsx';
import { likelyCost } from './next-cost.ts';
import type { Answerers } from './useAnswerers.ts';
import type { Choose } from './useChoose.tsx';
import { AS_IT_IS, type Who, whoOf } from './who.ts';

interface WhoAnswersProps {
  options: AskOptions;
  answerers: Answerers;
  onChoose: Choose;
}

/** This computer for nothing, or somebody on the mesh for credits. */
export function WhoAnswers({ options, answerers, onChoose }: WhoAnswersProps) {
  const { t } = useTranslation('playground');
  return (
    <>
      <Radio.Group
        aria-label={t('target.label')}
        value={whoOf(options, answerers.here)}
        onChange={(who) => onChoose(who as Who)}
      >
        <Here answerers={answerers} />
        <OnMesh options={options} answerers={answerers} />
      </Radio.Group>
      {options.target === 'mesh' && (
        <Stack mt={14}>
          <Note icon={IconEye}>{t('readable')}</Note>
        </Stack>
      )}
    </>
  );
}

/** So many models stand in a list before somebody asks for all of them. */
const MOST_SHOWN = 5;

function Here({ answerers: { local, here, learnt, work, lately, titleOf } }: { answerers: Answerers }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const { shown, more } = useShown(local, ({ name }) => name === here);
  return (
    <Stack gap={4}>
      <p className={classes.where}>{t('target.local')}</p>
      {local.length === 0 && <Choice who="here:" name={t('target.noModel')} below={t('target.private')} />}
      {shown.map(({ name, bytes }) => {
        const speed = lately('local', name)?.tokensPerSecond;
        return (
          <Fragment key={name}>
            <Choice
              who={`here:${name}`}
              name={titleOf(name)}
              beside={
                speed ? (
                  <span className={classes.speed}>{t('perSecond', { formatted: format.number(speed) })}</span>
                ) : null
              }
              below={name === here ? t('target.private') : bytes !== undefined && format.bytes(bytes)}
            />
            {name === here && <LocalModelLine work={work} />}
            {name === here &&
              learnt.map((one) => (
                <Choice
                  key={one}
                  who={`learnt:${one}`}
                  name={one}
                  inset
                  below={t(one === AS_IT_IS ? 'target.asItIs' : 'target.learnt')}
                />
              ))}
          </Fragment>
        );
      })}
      {more}
    </Stack>
  );
}

function OnMesh({ options, answerers: { mesh, miners, lately, titleOf } }: Omit<WhoAnswersProps, 'onChoose'>) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const { shown, more } = useShown(mesh, ({ name }) => name === options.model);
  const cost = (model?: string) => {
    const count = likelyCost(options, lately('mesh', model) ?? lately('mesh'));
    return (
      count !== undefined && (
        <span className={classes.paid}>{t('credits', { count, formatted: format.number(count) })}</span>
      )
    );
  };
  const told = ({ name, miners: count }: (typeof mesh)[number]) => {
    if (count === 0) return t('target.noMiners');
    const first = lately('mesh', name)?.firstTokenMs;
    const counted = t('target.miners', { count });
    return first ? `${counted} · ${t('target.firstWord', { time: format.duration(first) })}` : counted;
  };
  return (
    <Stack gap={4}>
      <p className={classes.where}>{t('target.mesh')}</p>
      {shown.map((model) => (
        <Choice
          key={model.name}
          who={`mesh:${model.name}`}
          name={titleOf(model.name)}
          beside={cost(model.name)}
          below={told(model)}
        />
      ))}
      {more}
      <Choice
        who="mesh"
        name={t('target.anyone')}
        beside={cost()}
        below={miners ? t('target.anyoneOf', { count: miners }) : t('target.shortestWait')}
      />
    </Stack>
  );
}

/** The first few of a list and the chosen one, until all are asked for. */
function useShown<Item>(items: readonly Item[], isChosen: (item: Item) => boolean): { shown: Item[]; more: ReactNode } {
  const { t } = useTranslation('playground');
  const [all, setAll] = useState(false);
  const shown = items.filter((item, place) => all || place < MOST_SHOWN || isChosen(item));
  const more = shown.length < items.length && (
    <Button variant="subtle" color="gray" size="xs" onClick={() => setAll(true)}>
      {t('target.all', { count: items.length })}
    </Button>
  );
  return { shown, more };
}

interface ChoiceProps {
  who: Who;
  name: string;
  /** At the right: how fast it is, or what it costs. */
  beside?: ReactNode;
  below: ReactNode;
  /** It is a way to ask the one above it. */
  inset?: boolean;
}

function Choice({ who, name, beside, below, inset = false }: ChoiceProps) {
  return (
    <Radio.Card value={who} className={classes.choice} data-inset={inset || undefined}>
      <Radio.Indicator size="xs" mt={2} />
      <span className={classes.name} title={name}>
        {name}
      </span>
      {beside || <span />}
      <span className={classes.below}>{below}</span>
    </Radio.Card>
  );
}

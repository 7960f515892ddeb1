import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EvaluationTarget, EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { placeText } from '../../../../src-preload/contract/place.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { CopyIcon } from '../../../components/copy/CopyIcon.tsx';
import { Facts } from '../../../components/page/Inspector.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../evaluation.module.css';
import { askAgain } from '../new/ask-again.ts';
import { useWords } from '../use-words.ts';

/** What was asked, and whom: all that somebody needs who wants to ask the same. */
export function AskedFor({ evaluation }: { evaluation: EvaluationView }) {
  const { t } = useTranslation('evaluation');
  return (
    <Section
      title={t('asked.title')}
      aside={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRepeat size={14} aria-hidden />}
          onClick={() => askAgain(evaluation)}
        >
          {t('asked.again')}
        </Button>
      }
    >
      <PlanFacts evaluation={evaluation} />
    </Section>
  );
}

export function PlanFacts({ evaluation }: { evaluation: EvaluationView }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const { plan, sha256, createdAt, endedAt, seconds } = evaluation;
  const { target, suites, lengths, samples, seed, ownTexts, twice } = plan;
  return (
    <Facts
      facts={[
        [t('asked.model'), words.model(evaluation)],
        [t('asked.where'), <Where key="where" target={target} />],
        [t('asked.sha256'), sha256 !== null && <span className={classes.id}>{sha256}</span>],
        [t('asked.suites'), format.list(suites.map(words.suite))],
        [t('asked.lengths'), lengths.map(words.length).join(', ')],
        [t('asked.samples'), format.number(samples)],
        [t('asked.twice'), twice && t('asked.yes')],
        [t('asked.ownTexts'), ownTexts && t('asked.yes')],
        [
          t('asked.seed'),
          <span key="seed" className={classes.id}>
            {seed} <CopyIcon text={seed} label={t('asked.copySeed')} />
          </span>,
        ],
        [t('asked.begun'), format.time(createdAt)],
        [t('asked.ended'), endedAt !== null && format.time(endedAt)],
        [t('asked.took'), seconds > 0 && format.duration(1_000 * seconds)],
      ]}
    />
  );
}

function Where({ target }: { target: EvaluationTarget }) {
  const { t } = useTranslation('evaluation');
  if (target.kind === 'address') return target.url;
  if (target.kind !== 'axon') return t(`target.${target.kind}`);
  const { hotkey, netuid, at } = target;
  return (
    <>
      <Address address={hotkey} /> {at ? placeText(at) : t('asked.subnet', { netuid })}
    </>
  );
}

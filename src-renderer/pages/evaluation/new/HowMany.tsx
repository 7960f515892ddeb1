import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MOST_TEXTS } from '../../../../src-preload/contract/evaluation-numbers.ts';
import classes from '../evaluation.module.css';
import { changeDraft, type Draft } from './draft.ts';

const MOST_SEED_CHARS = 128;

/** How often, and by which draw of luck. */
export function HowMany({ draft: { samples, seed, twice } }: { draft: Draft }) {
  const { t } = useTranslation('evaluation');
  return (
    <>
      <div className={classes.pair}>
        <NumberInput
          label={t('new.samples')}
          description={t('new.samplesMean')}
          min={1}
          max={MOST_TEXTS}
          clampBehavior="strict"
          allowDecimal={false}
          value={samples}
          onChange={(value) => typeof value === 'number' && value >= 1 && changeDraft({ samples: value })}
        />
        <TextInput
          label={t('new.seed')}
          description={t('new.seedMeans')}
          placeholder={t('new.seedDrawn')}
          maxLength={MOST_SEED_CHARS}
          value={seed}
          onChange={(event) => changeDraft({ seed: event.currentTarget.value })}
        />
      </div>
      <Switch
        mt={12}
        label={t('new.twice')}
        description={t('new.twiceMeans')}
        checked={twice}
        onChange={(event) => changeDraft({ twice: event.currentTarget.checked })}
      />
    </>
  );
}

import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import classes from '../welcome.module.css';
import type { Choice } from './choices.ts';
import { ModelRow } from './ModelRow.tsx';

/** So many rows are shown at first. */
const SHOWN = 4;

interface ModelChoiceProps {
  choices: Choice[];
  choice: Choice | undefined;
  free: number | undefined;
  onPick: (name: string) => void;
}

/** The models to pick from, the best first. */
export function ModelChoice({ choices, choice, free, onPick }: ModelChoiceProps) {
  const { t } = useTranslation(['welcome', 'common']);
  const [all, setAll] = useState(false);
  const { data: forecasts = [] } = useAnswer(api.credits.forecasts.queryOptions());
  const first = choices.findIndex(({ catalogue }) => catalogue);
  const shown = all ? choices : choices.filter((one, index) => index < SHOWN || one.installed || one === choice);
  return (
    <div>
      <Radio.Group aria-label={t('model.pick')} value={choice?.name ?? ''} onChange={onPick}>
        <div className={classes.models}>
          {shown.map((one) => (
            <ModelRow
              key={one.name}
              choice={one}
              recommended={choices[first] === one}
              free={free}
              forecast={forecasts.find(({ model }) => model === one.name)}
            />
          ))}
        </div>
      </Radio.Group>
      {shown.length < choices.length && (
        <Button variant="subtle" mt={8} ml={-18} onClick={() => setAll(true)}>
          {t('common:action.more')}
        </Button>
      )}
    </div>
  );
}

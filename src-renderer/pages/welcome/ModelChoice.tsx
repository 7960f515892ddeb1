import { Button, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from './choices.ts';
import { ModelCard } from './ModelCard.tsx';

/** So many cards are shown at first. */
const SHOWN = 4;

interface ModelChoiceProps {
  choices: Choice[];
  choice: Choice | undefined;
  free: number | undefined;
  onPick: (name: string) => void;
}

/** The models to pick from, the best first, as cards. */
export function ModelChoice({ choices, choice, free, onPick }: ModelChoiceProps) {
  const { t } = useTranslation(['welcome', 'common']);
  const [all, setAll] = useState(false);
  const first = choices.findIndex(({ catalogue }) => catalogue);
  const shown = all ? choices : choices.filter((one, index) => index < SHOWN || one.installed || one === choice);
  return (
    <Stack gap="md">
      <Radio.Group
        value={choice?.name ?? ''}
        onChange={onPick}
        label={t('model.pick')}
        description={first < 0 ? undefined : t('model.order')}
      >
        <Stack gap="sm" mt="xs">
          {shown.map((one) => (
            <ModelCard key={one.name} choice={one} recommended={choices[first] === one} free={free} />
          ))}
        </Stack>
      </Radio.Group>
      {shown.length < choices.length && (
        <Button variant="subtle" onClick={() => setAll(true)} style={{ alignSelf: 'center' }}>
          {t('common:action.more')}
        </Button>
      )}
    </Stack>
  );
}

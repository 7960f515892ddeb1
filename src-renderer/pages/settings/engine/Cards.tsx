import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Fields } from '../fields/Fields.tsx';
import { ChosenGpus } from './ChosenGpus.tsx';

/** What is set for graphics cards; folded away on a computer without one that models can run on. */
export function Cards() {
  const { t } = useTranslation('settings');
  const { data: hardware, error } = useAnswer(api.node.hardware.queryOptions());
  const [wanted, setWanted] = useState(false);
  if (!hardware && !error) return null;
  const hasCard = hardware?.gpus.value?.some(({ backend }) => backend) ?? error !== null;
  return (
    <>
      <ChosenGpus />
      {hasCard || wanted ? (
        <Fields of="cards" />
      ) : (
        <div>
          <Button size="xs" variant="default" onClick={() => setWanted(true)}>
            {t('engine.showCards')}
          </Button>
        </div>
      )}
    </>
  );
}

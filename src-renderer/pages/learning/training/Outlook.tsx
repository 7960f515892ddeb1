import { Anchor, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ErrorView } from '../../../../src-preload/contract/error-schema.ts';
import type { TrainerKind, TrainerOffer } from '../../../../src-preload/contract/learning-trainers.ts';
import { client } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { useSetting } from '../../../state/settings.ts';
import classes from '../learning.module.css';

/** Nodes come and go, and another model may be loaded: neither is told. */
const LOOK_AGAIN_MS = 15_000;

/** What one kind of trainer would take for a run with the settings of now; or that it cannot, why, and what would fit. */
export function Outlook({ trainer }: { trainer: TrainerKind }) {
  const { t } = useTranslation('learning');
  const settings = [useSetting('learning.memoryMb'), useSetting('learning.economy'), useSetting('model')];
  const { data, error } = useAnswer({
    // Apart from all else of learning, which is asked anew with each step of a run: this asks other nodes.
    queryKey: ['outlook', trainer, ...settings],
    queryFn: ({ signal }) => client.learning.outlook({ trainer }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
  if (!data) return error ? <ErrorNote error={error} /> : <Skeleton h={18} w={260} />;
  if (data.offers.length === 0) {
    return (
      <p className={classes.text}>
        {t('outlook.none')}{' '}
        <Anchor href="#/network/nodes" inherit underline="always">
          {t('outlook.toNodes')}
        </Anchor>
      </p>
    );
  }
  return data.offers.map((offer, place) => <Offer key={offer.node ?? place} offer={offer} steps={data.steps} />);
}

/** No failure: nothing was tried. */
function Unable({ error }: { error: ErrorView }) {
  const { t } = useTranslation('learning');
  const hint = worded(error, 'hint');
  return (
    <>
      <p className={classes.chipLine}>
        <StateChip state="pause" icon={IconAlertTriangle}>
          {t(error.code === 'OUT_OF_MEMORY' ? 'outlook.doesNotFit' : 'outlook.notNow')}
        </StateChip>
      </p>
      <p className={classes.text}>
        {worded(error, 'message')} {hint}
      </p>
    </>
  );
}

function Offer({ offer: { node, forecast, error }, steps }: { offer: TrainerOffer; steps: number }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  return (
    <div>
      {node !== null && <p className={classes.strong}>{node}</p>}
      {error && <Unable error={error} />}
      {forecast && (
        <p className={classes.text}>
          {t('outlook.takes', {
            memory: format.bytes(forecast.memory),
            step: format.duration(forecast.secondsPerStep * 1_000),
            steps: format.number(steps),
            time: format.duration(forecast.secondsPerStep * steps * 1_000),
          })}
        </p>
      )}
    </div>
  );
}

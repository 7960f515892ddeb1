import { notifications } from '@mantine/notifications';
import type { CalibrationStep } from '../../../../src-preload/contract/data-calibration.ts';
import { api, client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { followedWork } from '../followed-work.ts';

/** Models of clips that are being measured, and what came of it. */
const measuring = followedWork<CalibrationStep>();

export const useMeasuring = measuring.use;

/** Measures the models that are in use with clips of the library, and says which of them were. */
export async function measure(): Promise<void> {
  const isThere = await measuring.begin('clips', (signal) => client.data.calibrate(undefined, { signal }));
  if (isThere) tellMeasured(measuring.use.getState().work?.step);
  await queryClient.invalidateQueries({ queryKey: api.data.thresholds.key() });
}

/** Stops that: nothing of it is kept. */
export const stopMeasuring = (): void => measuring.giveUp();

/** In a corner of the window: another page may be open by now. */
function tellMeasured(step: CalibrationStep | undefined): void {
  if (step?.type !== 'done') return;
  const measured = step.models.filter(({ thresholds }) => thresholds !== null);
  const models = measured.map(({ name }) => name).join(', ');
  if (models) notifications.show({ message: i18n.t('data:threshold.done', { models }) });
}

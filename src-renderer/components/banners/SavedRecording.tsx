import { Button, CloseButton, Group } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { SHORTEST_RECORDING_MS } from '../../../src-preload/contract/focus-limits.ts';
import { lengthText } from '../../../src-preload/contract/length-text.ts';
import { type SavedRecording as Saved, useRecording } from '../../state/recording.ts';
import { wantRecording } from '../../state/wanted.ts';
import { pathOfPlace } from '../page/place.ts';
import { Banner } from './Banner.tsx';

const forget = () => useRecording.setState({ saved: undefined });

/** Says that a recording was finished, and leads to it; until another page is opened. */
export function SavedRecording({ saved: { id, title, activeMs } }: { saved: Saved }) {
  const { t } = useTranslation('focus');
  const { t: common } = useTranslation();
  const [location] = useLocation();
  const [place] = useState(location);
  useEffect(() => {
    if (location !== place) forget();
  }, [location, place]);
  return (
    <Banner
      state="good"
      icon={IconCheck}
      role="status"
      action={
        <Group gap="xs" ml="auto" wrap="nowrap">
          <Button
            component="a"
            href={`#${pathOfPlace('focus', 'library')}`}
            size="xs"
            variant="default"
            onClick={() => wantRecording(id)}
          >
            {t('saved.show')}
          </Button>
          <CloseButton size="sm" aria-label={common('action.close')} onClick={forget} />
        </Group>
      }
    >
      {t('saved.what', { title, length: lengthText(activeMs) })} {activeMs < SHORTEST_RECORDING_MS && t('saved.short')}
    </Banner>
  );
}

import { Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { usePlace } from '../../components/page/place.ts';
import { useDownloads } from '../../state/downloads.ts';
import { Catalogue } from './Catalogue.tsx';
import { takeWantedModel } from './catalogue-choice.ts';
import { Downloads } from './Downloads.tsx';
import { LocalModels } from './LocalModels.tsx';
import { Sharing } from './Sharing.tsx';

/** What is here, what could be, what is on its way, and what is shared. */
export function Models() {
  const { t } = useTranslation('models');
  const [, go] = useLocation();
  const place = usePlace('models');
  const { downloads, error } = useDownloads();
  const toCatalogue = () => go('/models/catalogue');
  useEffect(() => {
    if (takeWantedModel()) go('/models/catalogue', { replace: true });
  }, [go]);
  return (
    <PageBody>
      <Stack gap={4} mb="lg">
        <Text c="dimmed" maw={720}>
          {t('intro')}
        </Text>
      </Stack>
      <ErrorNote error={error} />
      {place === 'local' && <LocalModels onCatalogue={toCatalogue} />}
      {place === 'catalogue' && <Catalogue downloads={downloads ?? []} />}
      {place === 'downloads' && <Downloads downloads={downloads} onCatalogue={toCatalogue} />}
      {place === 'sharing' && <Sharing />}
    </PageBody>
  );
}

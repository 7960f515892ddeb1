import { Title, VisuallyHidden } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { usePlace } from '../../components/page/place.ts';
import { endAdding, useAdding } from '../../state/adding-model.ts';
import { useDownloads } from '../../state/downloads.ts';
import { onWantedModel } from '../../state/wanted.ts';
import { AddByAddress } from './AddByAddress.tsx';
import { Catalogue } from './Catalogue.tsx';
import { showInCatalogue, takeWantedModel } from './catalogue-choice.ts';
import { Downloads } from './Downloads.tsx';
import { ImportModel } from './ImportModel.tsx';
import { LocalModels } from './LocalModels.tsx';
import { Sharing } from './Sharing.tsx';

/** What is here, what could be, what is on its way, and what is shared. */
export function Models() {
  const { t } = useTranslation('models');
  const [, go] = useLocation();
  const place = usePlace('models');
  const { downloads, error } = useDownloads();
  const { by } = useAdding();
  useEffect(() => {
    if (takeWantedModel()) go('/models/catalogue', { replace: true });
  }, [go]);
  useEffect(() => onWantedModel(showInCatalogue), []);
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {error !== undefined && (
        <PageBody>
          <ErrorNote error={error} />
        </PageBody>
      )}
      {place === 'local' && <LocalModels downloads={downloads} />}
      {place === 'catalogue' && <Catalogue downloads={downloads} />}
      {place === 'downloads' && <Downloads downloads={downloads} />}
      {place === 'sharing' && <Sharing />}
      {by === 'file' && <ImportModel onClose={endAdding} />}
      {by === 'address' && <AddByAddress onClose={endAdding} />}
    </>
  );
}

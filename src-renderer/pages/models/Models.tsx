import { Title, VisuallyHidden } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { usePlace } from '../../components/page/place.ts';
import { endAdding, useAdding } from '../../state/adding-model.ts';
import { useFreshDownloads } from '../../state/downloads.ts';
import { onWantedAction, onWantedModel } from '../../state/wanted.ts';
import { Downloads } from './downloads/Downloads.tsx';
import { AddByAddress } from './folder/AddByAddress.tsx';
import { ImportModel } from './folder/ImportModel.tsx';
import { Catalogue } from './list/Catalogue.tsx';
import { showInCatalogue, takeWantedModel } from './list/catalogue-choice.ts';
import { LocalModels } from './list/LocalModels.tsx';
import { HubSearch } from './search/HubSearch.tsx';
import { Sharing } from './sharing/Sharing.tsx';

/** What is here, what could be, what is on its way, and what is shared. */
export function Models() {
  const { t } = useTranslation('models');
  const [, go] = useLocation();
  const place = usePlace('models');
  const { downloads, error } = useFreshDownloads();
  const { by } = useAdding();
  useEffect(() => {
    if (takeWantedModel()) go('/models/catalogue', { replace: true });
  }, [go]);
  useEffect(() => onWantedModel(showInCatalogue), []);
  useEffect(() => onWantedAction('importFile', () => useAdding.setState({ by: 'file' })), []);
  useEffect(() => onWantedAction('addByAddress', () => useAdding.setState({ by: 'address' })), []);
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
      {place === 'search' && <HubSearch downloads={downloads} />}
      {place === 'downloads' && <Downloads downloads={downloads} />}
      {place === 'sharing' && <Sharing />}
      {by === 'file' && <ImportModel onClose={endAdding} />}
      {by === 'address' && <AddByAddress onClose={endAdding} />}
    </>
  );
}

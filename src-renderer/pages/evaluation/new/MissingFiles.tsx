import { Button } from '@mantine/core';
import { IconCloudDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { FetchBar } from '../files/FetchBar.tsx';
import { fetchFiles, useFetching } from '../files/fetching.ts';
import { missingFor } from '../files/packs.ts';
import { usePackName, usePacks } from '../files/use-packs.ts';
import type { Draft } from './draft.ts';

/** What is chosen and cannot be asked, as its files are not here; nothing where all of it is. */
export function MissingFiles({ draft: { suites, ownTexts } }: { draft: Draft }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const nameOf = usePackName();
  const { packs = [] } = usePacks();
  const isFetching = useFetching(({ stop }) => stop !== undefined);
  const missing = ownTexts ? [] : missingFor(packs, suites);
  const names = missing.map((pack) =>
    pack.bytes === null ? nameOf(pack) : `${nameOf(pack)} (${format.bytes(pack.bytes)})`,
  );
  const wish = { suites: missing.flatMap(({ wish }) => wish.suites), all: false };
  return (
    <>
      {missing.length > 0 && !isFetching && (
        <Note
          spaced
          state="pause"
          icon={IconCloudDown}
          title={t('new.missing', { names: format.list(names) })}
          actions={
            <>
              <Button size="xs" variant="default" onClick={() => void fetchFiles(wish)}>
                {t('new.fetchThem')}
              </Button>
              <Button size="xs" variant="subtle" component="a" href="#/evaluation/files">
                {t('new.whichFiles')}
              </Button>
            </>
          }
        >
          {t('new.missingMeans')}
        </Note>
      )}
      <FetchBar />
    </>
  );
}

import { Badge, Container, Stack, Tabs, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'wouter';
import { placesOf } from '../../../src-preload/contract/pages.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';
import { underWay, useDownloads } from '../../state/downloads.ts';
import { Catalogue } from './Catalogue.tsx';
import { takeWantedModel } from './catalogue-choice.ts';
import { Downloads } from './Downloads.tsx';
import { LocalModels } from './LocalModels.tsx';
import { Sharing } from './Sharing.tsx';

/** What is here, what could be, what is on its way, and what is shared. */
export function Models() {
  const { t } = useTranslation('models');
  const format = useFormat();
  const [, go] = useLocation();
  const { place } = useParams();
  const open = placesOf('models').find((name) => name === place) ?? 'local';
  const { downloads, error } = useDownloads();
  const running = downloads?.filter(underWay).length ?? 0;
  const setOpen = (name: string | null) => go(name === 'local' ? '/models' : `/models/${name}`);
  const toCatalogue = () => setOpen('catalogue');
  useEffect(() => {
    if (takeWantedModel()) go('/models/catalogue', { replace: true });
  }, [go]);
  return (
    <Container fluid maw={1200} p={0}>
      <Stack gap={4} mb="lg">
        <Title order={1}>{t('title')}</Title>
        <Text c="dimmed" maw={720}>
          {t('intro')}
        </Text>
      </Stack>
      <ErrorNote error={error} />
      <Tabs value={open} onChange={setOpen} keepMounted={false}>
        <Tabs.List aria-label={t('title')} mb="lg">
          <Tabs.Tab value="local">{t('place.local')}</Tabs.Tab>
          <Tabs.Tab value="catalogue">{t('place.catalogue')}</Tabs.Tab>
          <Tabs.Tab
            value="downloads"
            rightSection={
              running > 0 && (
                <Badge size="sm" circle aria-hidden>
                  {format.number(running)}
                </Badge>
              )
            }
          >
            {t('place.downloads')}
          </Tabs.Tab>
          <Tabs.Tab value="sharing">{t('place.sharing')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="local">
          <LocalModels onCatalogue={toCatalogue} />
        </Tabs.Panel>
        <Tabs.Panel value="catalogue">
          <Catalogue downloads={downloads ?? []} />
        </Tabs.Panel>
        <Tabs.Panel value="downloads">
          <Downloads downloads={downloads} onCatalogue={toCatalogue} />
        </Tabs.Panel>
        <Tabs.Panel value="sharing">
          <Sharing />
        </Tabs.Panel>
      </Tabs>
    </Container>
  );
}

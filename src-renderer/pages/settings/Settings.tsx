import { Container, NativeSelect, Stack, Tabs, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'wouter';
import { type PlaceOf, placesOf } from '../../../src-preload/contract/pages.ts';
import { SECTIONS } from './sections.tsx';

const PLACES = placesOf('settings');

/** Everything that can be set, in sections; each change is saved at once. */
export function Settings() {
  const { t } = useTranslation('settings');
  const [, go] = useLocation();
  const { place } = useParams();
  const open = PLACES.find((name) => name === place) ?? 'general';
  const setOpen = (name: string) => go(`/settings/${name}`);
  return (
    <Container fluid maw={1200} p={0}>
      <Stack gap={4} mb="lg">
        <Title order={1}>{t('title')}</Title>
        <Text c="dimmed">{t('intro')}</Text>
      </Stack>
      <NativeSelect
        hiddenFrom="sm"
        mb="lg"
        label={t('sections')}
        data={PLACES.map((name) => ({ value: name, label: t(`place.${name}`) }))}
        value={open}
        onChange={(event) => setOpen(event.currentTarget.value)}
      />
      <Tabs
        orientation="vertical"
        variant="pills"
        keepMounted={false}
        value={open}
        onChange={(name) => name && setOpen(name)}
      >
        <Tabs.List visibleFrom="sm" aria-label={t('sections')} w={230} mr="xl" style={{ flexShrink: 0 }}>
          {PLACES.map((name) => (
            <SectionTab key={name} name={name} />
          ))}
        </Tabs.List>
        {PLACES.map((name) => (
          <Tabs.Panel key={name} value={name} miw={0}>
            <Section name={name} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Container>
  );
}

function SectionTab({ name }: { name: PlaceOf<'settings'> }) {
  const { t } = useTranslation('settings');
  const { icon: SectionIcon } = SECTIONS[name];
  return (
    <Tabs.Tab
      styles={{ tabLabel: { textAlign: 'start' } }}
      value={name}
      leftSection={<SectionIcon size={18} stroke={1.6} aria-hidden />}
    >
      {t(`place.${name}`)}
    </Tabs.Tab>
  );
}

function Section({ name }: { name: PlaceOf<'settings'> }) {
  const { t } = useTranslation('settings');
  const { Content } = SECTIONS[name];
  return (
    <Stack gap="md">
      <Title order={2} size="h3">
        {t(`place.${name}`)}
      </Title>
      <Content />
    </Stack>
  );
}

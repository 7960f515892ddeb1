import { Container, NativeSelect, Stack, Tabs, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'wouter';
import { SECTIONS } from './sections.tsx';

/** Everything that can be set, in sections; each change is saved at once. */
export function Settings() {
  const { t } = useTranslation('settings');
  const [, go] = useLocation();
  const { section } = useParams();
  const open = (SECTIONS.find(({ name }) => name === section) ?? SECTIONS[0]).name;
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
        data={SECTIONS.map(({ name }) => ({ value: name, label: t(`section.${name}`) }))}
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
          {SECTIONS.map(({ name, icon: SectionIcon }) => (
            <Tabs.Tab
              styles={{ tabLabel: { textAlign: 'start' } }}
              key={name}
              value={name}
              leftSection={<SectionIcon size={18} stroke={1.6} aria-hidden />}
            >
              {t(`section.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SECTIONS.map(({ name, Content }) => (
          <Tabs.Panel key={name} value={name} miw={0}>
            <Stack gap="md">
              <Title order={2} size="h3">
                {t(`section.${name}`)}
              </Title>
              <Content />
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Container>
  );
}

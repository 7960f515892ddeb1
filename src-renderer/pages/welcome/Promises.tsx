import { List, SimpleGrid, Stack, ThemeIcon, Title } from '@mantine/core';
import { type Icon, IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

const DOES = ['answers', 'earns', 'stops'] as const;
const NEVER = ['files', 'programs', 'texts'] as const;

/** What mining does, and what it never does. */
export function Promises() {
  const { t } = useTranslation('welcome');
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
      <Promised
        title={t('start.does')}
        icon={IconCheck}
        colour="green"
        texts={DOES.map((one) => t(`start.doesList.${one}`))}
      />
      <Promised
        title={t('start.never')}
        icon={IconX}
        colour="red"
        texts={NEVER.map((one) => t(`start.neverList.${one}`))}
      />
    </SimpleGrid>
  );
}

function Promised(props: { title: string; icon: Icon; colour: string; texts: string[] }) {
  const { title, icon: MarkIcon, colour, texts } = props;
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {title}
      </Title>
      <List
        spacing="xs"
        size="sm"
        icon={
          <ThemeIcon size={22} radius="xl" variant="light" color={colour} aria-hidden>
            <MarkIcon size={14} />
          </ThemeIcon>
        }
      >
        {texts.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

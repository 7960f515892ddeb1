import { Button, Center, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What an empty conversation offers. */
export function Examples({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation('playground');
  return (
    <Center flex={1} p="md">
      <Stack align="center" gap="xs">
        <Text fw={600}>{t('examples.title')}</Text>
        <Text c="dimmed" size="sm" ta="center" maw={420}>
          {t('examples.explain')}
        </Text>
        {(['mesh', 'code', 'rewrite'] as const).map((name) => (
          <Button key={name} variant="default" onClick={() => onChoose(t(`examples.${name}`))} h="auto" py="xs">
            <Text size="sm" style={{ whiteSpace: 'normal' }}>
              {t(`examples.${name}`)}
            </Text>
          </Button>
        ))}
      </Stack>
    </Center>
  );
}

import { Box, Button, Code, Group, ScrollArea, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../components/useCopy.ts';

/** Code with its language and a button that copies it; long lines scroll. */
export function CodeBlock({ language, text }: { language: string | undefined; text: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <Box my="xs">
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {language}
        </Text>
        <Button variant="subtle" size="compact-xs" onClick={copy}>
          {t(copied ? 'action.copied' : 'action.copy')}
        </Button>
      </Group>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0 }}>
        <Code block style={{ whiteSpace: 'pre' }}>
          {text}
        </Code>
      </ScrollArea>
    </Box>
  );
}

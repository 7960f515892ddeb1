import { ActionIcon, Box, Drawer, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Chat } from './Chat.tsx';
import { ConversationList } from './ConversationList.tsx';
import { useSelection } from './selection.ts';

/** Height of the page between header and window edge. */
const HEIGHT = 'calc(100dvh - 72px)';

/** Conversations on the left, the chosen one on the right; in a narrow window the list is a drawer. */
export function Playground() {
  const { t } = useTranslation('playground');
  const [opened, drawer] = useDisclosure();
  const id = useSelection((selection) => selection.id);
  return (
    <Group p="md" h={HEIGHT} mih={420} align="stretch" gap="lg" wrap="nowrap">
      <Box w={260} visibleFrom="md" style={{ flexShrink: 0 }}>
        <ConversationList />
      </Box>
      <Drawer opened={opened} onClose={drawer.close} title={t('conversations')} hiddenFrom="md">
        <ConversationList onChosen={drawer.close} />
      </Drawer>
      <Box flex={1} miw={0} style={{ display: 'flex', flexDirection: 'column' }}>
        <Group justify="flex-end" mb="sm" hiddenFrom="md" wrap="nowrap">
          <ActionIcon hiddenFrom="md" variant="default" size="lg" onClick={drawer.open} aria-label={t('conversations')}>
            <IconHistory size={18} aria-hidden />
          </ActionIcon>
        </Group>
        <Chat key={id ?? 'new'} id={id} />
      </Box>
    </Group>
  );
}

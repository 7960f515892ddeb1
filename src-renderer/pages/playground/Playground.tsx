import { Drawer } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Columns } from '../../components/page/Columns.tsx';
import { useEscape } from '../../components/page/use-escape.ts';
import { onWantedAction } from '../../state/wanted.ts';
import { Chat } from './Chat.tsx';
import { ConversationList } from './conversations/ConversationList.tsx';
import { useSelection } from './state/selection.ts';

/** Conversations, the chosen one, and who answers in it; where there is no room for the sides they are drawers. */
export function Playground() {
  const { t } = useTranslation('playground');
  const [opened, drawer] = useDisclosure();
  const id = useSelection((selection) => selection.id);
  useEffect(() => onWantedAction('newConversation', () => useSelection.setState({ id: undefined })), []);
  useEffect(
    () => onWantedAction('askMesh', () => useSelection.setState({ id: undefined, options: { target: 'mesh' } })),
    [],
  );
  const roomForList = useRoom(920);
  const roomForInspector = useRoom(1_140);
  const widths = [roomForList && '204px', 'minmax(0, 1fr)', roomForInspector && '276px'].filter(Boolean).join(' ');
  const isListOpen = opened && !roomForList;
  useEscape(isListOpen, drawer.close);
  return (
    <Columns widths={widths}>
      {roomForList && (
        <nav aria-label={t('conversations')}>
          <ConversationList />
        </nav>
      )}
      <Chat key={id ?? 'new'} id={id} inspected={roomForInspector} onOpenList={roomForList ? undefined : drawer.open} />
      <Drawer opened={isListOpen} onClose={drawer.close} closeOnEscape={false} title={t('conversations')} size={300}>
        <ConversationList onChosen={drawer.close} />
      </Drawer>
    </Columns>
  );
}

/** Whether the window is at least so many pixels wide. */
function useRoom(width: number): boolean {
  return useMediaQuery(`(min-width: ${width}px)`, undefined, { getInitialValueInEffect: false }) ?? true;
}

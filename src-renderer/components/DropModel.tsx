import { Portal, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconFileImport } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { isDesktop } from '../api/port.ts';
import { useAdding } from '../state/adding-model.ts';
import classes from './drop-model.module.css';

/** Takes a model file that is dragged onto the window, whichever page is open. What a page takes itself is left to it. */
export function DropModel() {
  const { t } = useTranslation('models');
  const [page, go] = useLocation();
  const [over, setOver] = useState(false);
  /** Elements that it was dragged into and not out of again: each tells of itself. */
  const depth = useRef(0);
  /** The page took what was dropped last. */
  const taken = useRef(false);
  const step = (by: number) => {
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  const begin = (file: { name: string; path?: string }) => {
    if (!/\.gguf$/i.test(file.name)) {
      notifications.show({ message: t('import.noModel', { name: file.name }) });
      return;
    }
    useAdding.setState({ by: 'file', file });
    go('/models');
  };
  useWindowEvent('dragenter', (event) => hasFiles(event) && step(1));
  useWindowEvent('dragleave', (event) => hasFiles(event) && step(-1));
  useWindowEvent('dragover', (event) => hasFiles(event) && event.preventDefault());
  useWindowEvent('drop', (event) => {
    step(-depth.current);
    taken.current = event.defaultPrevented;
    const [file] = event.dataTransfer?.files ?? [];
    if (!file || event.defaultPrevented) return;
    event.preventDefault(); // a browser would open it in place of this page
    if (!isDesktop()) begin({ name: file.name });
  });
  useWindowEvent('message', ({ source, origin, data }) => {
    if (source !== window || origin !== location.origin || typeof data?.dropped !== 'string') return;
    if (taken.current) return;
    const path: string = data.dropped;
    begin({ path, name: path.split(/[\\/]/).at(-1) ?? path });
  });
  if (!over) return null;
  return (
    <Portal>
      <div className={classes.over}>
        <IconFileImport size={28} stroke={1.6} aria-hidden />
        <Text fw={550}>{t(page.startsWith('/playground') ? 'import.dropInChat' : 'import.dropHere')}</Text>
      </div>
    </Portal>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

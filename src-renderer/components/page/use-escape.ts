import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';

const DIALOG = '[role="dialog"][aria-modal="true"]';

/**
 * For a sheet in which dialogs open, with `closeOnEscape={false}`: Escape closes it only while nothing lies over it and nothing in it wants the key.
 * Mantine’s own listener would close everything that is open at once.
 */
export function useEscape(isOpen: boolean, close: () => void): void {
  // A field whose list is open says so, until this very key has closed it.
  const hasList = useRef(false);
  const look = ({ target }: KeyboardEvent) => {
    hasList.current = target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';
  };
  useWindowEvent('keydown', look, { capture: true });
  useWindowEvent('keydown', ({ key, isComposing, target }) => {
    if (!isOpen || key !== 'Escape' || isComposing || hasList.current || !(target instanceof Element)) return;
    // What lay over it has gone by this very key, or is about to.
    if (target.closest(DIALOG)?.isConnected === false || document.querySelectorAll(DIALOG).length > 1) return;
    close();
  });
}

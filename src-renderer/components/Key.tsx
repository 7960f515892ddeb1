import { Kbd } from '@mantine/core';
import type { ReactNode } from 'react';

/** A key of the keyboard, as small as in a menu. */
export function Key({ children }: { children: ReactNode }) {
  return (
    <Kbd
      fz={11}
      fw={500}
      ff="text"
      px={5}
      py={2}
      c="var(--q-ink-3)"
      bg="var(--q-panel)"
      style={{ borderBottomWidth: 1 }}
    >
      {children}
    </Kbd>
  );
}

import { Badge } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';

interface YesNoBadgeProps {
  yes: boolean;
  /** Beside what is not so: colour alone tells nobody who does not see it. */
  noIcon: ComponentType<{ size: number; 'aria-hidden': true }>;
  /** Which of the two it is, in words. */
  children: ReactNode;
}

/** Whether something is so, as a badge in a row. */
export function YesNoBadge({ yes, noIcon, children }: YesNoBadgeProps) {
  const Icon = yes ? IconCheck : noIcon;
  return (
    <Badge
      variant="light"
      miw="max-content"
      color={yes ? 'green' : 'gray'}
      leftSection={<Icon size={12} aria-hidden />}
    >
      {children}
    </Badge>
  );
}

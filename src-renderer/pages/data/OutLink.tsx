import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

interface OutLinkProps {
  /** As a stranger gave it: what is no address of the web is shown as text. */
  href: string | null;
  children: ReactNode;
}

/** A link out of the app. */
export function OutLink({ href, children }: OutLinkProps) {
  if (href === null || !/^https?:\/\//i.test(href)) return <>{children}</>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" fz="inherit" underline="always">
      {children}
    </Anchor>
  );
}

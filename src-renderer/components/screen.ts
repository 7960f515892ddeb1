import type { Icon } from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';

/** What a page looks like in the menu and in the window. */
export interface Screen {
  icon: Icon;
  Content: ComponentType;
}

/** A page that is fetched when it is first opened. */
export function screen(icon: Icon, load: () => Promise<ComponentType>): Screen {
  return { icon, Content: lazy(async () => ({ default: await load() })) };
}

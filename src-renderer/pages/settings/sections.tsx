import {
  type Icon,
  IconAdjustments,
  IconAppWindow,
  IconBolt,
  IconCpu,
  IconFileText,
  IconFolder,
  IconList,
  IconLock,
  IconNetwork,
  IconPalette,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { PlaceOf } from '../../../src-preload/contract/pages.ts';
import { AllSettings } from './AllSettings.tsx';
import { AppearanceSection } from './AppearanceSection.tsx';
import { DesktopSection } from './DesktopSection.tsx';
import { EngineSection } from './EngineSection.tsx';
import { FoldersSection } from './FoldersSection.tsx';
import { GeneralSection } from './GeneralSection.tsx';
import { LogsSection } from './LogsSection.tsx';
import { NetworkSection } from './NetworkSection.tsx';
import { PolicySection } from './PolicySection.tsx';
import { SecuritySection } from './SecuritySection.tsx';

/** What each section of the contract's list looks like. */
export const SECTIONS: Record<PlaceOf<'settings'>, { icon: Icon; Content: ComponentType }> = {
  general: { icon: IconAdjustments, Content: GeneralSection },
  policy: { icon: IconBolt, Content: PolicySection },
  desktop: { icon: IconAppWindow, Content: DesktopSection },
  engine: { icon: IconCpu, Content: EngineSection },
  network: { icon: IconNetwork, Content: NetworkSection },
  folders: { icon: IconFolder, Content: FoldersSection },
  security: { icon: IconLock, Content: SecuritySection },
  appearance: { icon: IconPalette, Content: AppearanceSection },
  logs: { icon: IconFileText, Content: LogsSection },
  all: { icon: IconList, Content: AllSettings },
};

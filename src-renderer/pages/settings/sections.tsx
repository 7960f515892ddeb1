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

/** The sections in the order in which people look for them; their names are those of their texts. */
export const SECTIONS = [
  { name: 'general', icon: IconAdjustments, Content: GeneralSection },
  { name: 'policy', icon: IconBolt, Content: PolicySection },
  { name: 'desktop', icon: IconAppWindow, Content: DesktopSection },
  { name: 'engine', icon: IconCpu, Content: EngineSection },
  { name: 'network', icon: IconNetwork, Content: NetworkSection },
  { name: 'folders', icon: IconFolder, Content: FoldersSection },
  { name: 'security', icon: IconLock, Content: SecuritySection },
  { name: 'appearance', icon: IconPalette, Content: AppearanceSection },
  { name: 'logs', icon: IconFileText, Content: LogsSection },
  { name: 'all', icon: IconList, Content: AllSettings },
] as const satisfies readonly { name: string; icon: Icon; Content: ComponentType }[];

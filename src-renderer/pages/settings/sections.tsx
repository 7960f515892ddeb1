import type { ComponentType } from 'react';
import type { PlaceOf } from '../../../src-preload/contract/pages.ts';
import { AllSettings } from './AllSettings.tsx';
import { DesktopSection } from './DesktopSection.tsx';
import { EngineSection } from './engine/EngineSection.tsx';
import { FoldersSection } from './FoldersSection.tsx';
import { GeneralSection } from './GeneralSection.tsx';
import { LogsSection } from './logs/LogsSection.tsx';
import { NetworkSection } from './NetworkSection.tsx';
import { PolicySection } from './policy/PolicySection.tsx';
import { SecuritySection } from './security/SecuritySection.tsx';

/** What is in each tab of the contract's list. */
export const SECTIONS: Record<PlaceOf<'settings'>, ComponentType> = {
  general: GeneralSection,
  policy: PolicySection,
  desktop: DesktopSection,
  engine: EngineSection,
  network: NetworkSection,
  folders: FoldersSection,
  security: SecuritySection,
  logs: LogsSection,
  all: AllSettings,
};
